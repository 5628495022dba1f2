import { asc, eq, lte, sql } from 'drizzle-orm'
import type { AccountDeletionGrant } from '../../account/server/grants'
import type { Db } from '../../db/database'
import { deletedCustomers } from '../../db/schema'
import { findBillingAccount, fromNow, RETRY_AFTER_MS } from './lookup'
import type { DeletedCustomer } from './provider'

const CREATION_MS = 3_600_000

export async function noteDeletedCustomer(db: Db, { viewer }: AccountDeletionGrant): Promise<void> {
  const account = await findBillingAccount(db, viewer.id)
  if (!account) return
  const { reference, customerId, email } = account
  const row = customerId === null ? { email, dueAt: fromNow(CREATION_MS) } : { customerId }
  await db.insert(deletedCustomers).values({ reference, ...row })
}

export async function claimDeletedCustomer(db: Db): Promise<DeletedCustomer | undefined> {
  const next = db
    .select({ reference: deletedCustomers.reference })
    .from(deletedCustomers)
    .where(lte(deletedCustomers.dueAt, sql`now()`))
    .orderBy(asc(deletedCustomers.dueAt))
    .limit(1)
    .for('update', { skipLocked: true })
  const [row] = await db
    .update(deletedCustomers)
    .set({ dueAt: fromNow(RETRY_AFTER_MS) })
    .where(eq(deletedCustomers.reference, next))
    .returning()
  return row
}

export const forgetDeletedCustomer = (db: Db, { reference }: DeletedCustomer) =>
  db.delete(deletedCustomers).where(eq(deletedCustomers.reference, reference))
