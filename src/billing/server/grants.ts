import type { Db } from '../../db/database'
import type { Granted, SignedIn } from '../../server/signedIn'
import { claimDueCheck, findByCustomer } from './lookup'

export type BillingGrant = Granted<{ userId: number }, 'billing:update'>

export const grantOwnBilling = ({ id }: SignedIn) => ({ userId: id }) as BillingGrant

export const grantCustomerBilling = async (db: Db, customerId: string) => grantOf(await findByCustomer(db, customerId))

export const grantDueCheck = async (db: Db) => grantOf(await claimDueCheck(db))

const grantOf = (userId: number | undefined) => (userId === undefined ? null : ({ userId } as BillingGrant))
