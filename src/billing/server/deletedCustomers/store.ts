import { asc, eq, lte, sql } from 'drizzle-orm'
import type { AccountDeletionGrant } from '../../../account/server/grants'
import type { Db } from '../../../db/client'
import { departedCustomers } from '../../../db/schema'
import type { DeletedCustomer } from '../provider'
import { ASKS_AGAIN_AFTER, findBillingAccount, fromNow } from '../store'

/** A customer being created during the deletion exists by then. */
const MADE_WITHIN = 3_600_000

export async function noteDeletedCustomer(db: Db, { viewer }: AccountDeletionGrant): Promise<void> {
  const account = await findBillingAccount(db, viewer.id)
  if (!account) return
  const { reference, customerId, email } = account
  const row = customerId === null ? { email, dueAt: fromNow(MADE_WITHIN) } : { customerId }
  await db.insert(departedCustomers).values({ reference, ...row })
}

export async function claimDeletedCustomer(db: Db): Promise<DeletedCustomer | undefined> {
  const next = db
    .select({ reference: departedCustomers.reference })
    .from(departedCustomers)
    .where(lte(departedCustomers.dueAt, sql`now()`))
    .orderBy(asc(departedCustomers.dueAt))
    .limit(1)
    .for('update', { skipLocked: true })
  const [row] = await db
    .update(departedCustomers)
    .set({ dueAt: fromNow(ASKS_AGAIN_AFTER) })
    .where(eq(departedCustomers.reference, next))
    .returning()
  return row
}

export const forgetDeletedCustomer = (db: Db, { reference }: DeletedCustomer) =>
  db.delete(departedCustomers).where(eq(departedCustomers.reference, reference))
