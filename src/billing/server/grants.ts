import type { Db } from '../../db/database'
import type { Granted } from '../../server/granted'
import type { SignedIn } from '../../server/signedIn'
import { claimDueCheck, findByCustomer } from './lookup'

/** To ask the provider about somebody's subscription, and to store what it answers. */
export type BillingGrant = Granted<{ userId: number }, 'billing:update'>

export const grantOwnBilling = ({ id }: SignedIn) => ({ userId: id }) as BillingGrant

/** For the customer whom a signed webhook names; null where nobody is. */
export const grantCustomerBilling = async (db: Db, customerId: string) => grantOf(await findByCustomer(db, customerId))

/** For whoever's check is due, once; null where nobody's is. */
export const grantDueCheck = async (db: Db) => grantOf(await claimDueCheck(db))

const grantOf = (userId: number | undefined) => (userId === undefined ? null : ({ userId } as BillingGrant))
