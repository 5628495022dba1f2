import { asc, eq, getTableColumns, lte, sql } from 'drizzle-orm'
import type { Db } from '../../db/database'
import { billing, users } from '../../db/tables'
import type { Account, Subscription } from './provider'

export const RETRY_AFTER_MS = 3_600_000

export async function findBillingAccount(db: Db, userId: number): Promise<Account | undefined> {
  const [row] = await db
    .select({
      ...getTableColumns(billing),
      customerId: users.stripeCustomerId,
      isDisabled: sql<boolean>`${users.disabledAt} is not null`,
    })
    .from(billing)
    .innerJoin(users, eq(users.id, billing.userId))
    .where(eq(billing.userId, userId))
  return row && { ...row, subscription: subscriptionIn(row) }
}

export function subscriptionIn(row: typeof billing.$inferSelect): Subscription | null {
  const { subscriptionId: id, status, cancelAtPeriodEnd, currentPeriodEnd } = row
  return id === null || status === null ? null : { id, status, cancelAtPeriodEnd, currentPeriodEnd }
}

export async function findByCustomer(db: Db, customerId: string): Promise<number | undefined> {
  const [row] = await db.select({ id: users.id }).from(users).where(eq(users.stripeCustomerId, customerId))
  return row?.id
}

export const fromNow = (milliseconds: number) => sql`now() + ${milliseconds} * interval '1 millisecond'`

/** No process gets this user again for an hour. */
export async function claimDueCheck(db: Db): Promise<number | undefined> {
  const next = db
    .select({ userId: billing.userId })
    .from(billing)
    .where(lte(billing.nextCheckAt, sql`now()`))
    .orderBy(asc(billing.nextCheckAt))
    .limit(1)
    .for('update', { skipLocked: true })
  const [row] = await db
    .update(billing)
    .set({ nextCheckAt: fromNow(RETRY_AFTER_MS) })
    .where(eq(billing.userId, next))
    .returning({ userId: billing.userId })
  return row?.userId
}
