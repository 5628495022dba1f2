import { and, asc, eq, lte, sql } from 'drizzle-orm'
import type { AccountDeletionGrant } from '../../account/server/grants'
import type { Db } from '../../db/database'
import { billing, deletedCustomers, users } from '../../db/tables'
import { unauthorized } from '../../server/errors'
import type { SignedIn } from '../../server/signedIn'
import type { OwnUser } from '../../users/schema'
import { ownColumns } from '../../users/server/lookup'
import type { SubscriptionStatus } from '../schema'
import { findBillingAccount, fromNow, RETRY_AFTER_MS, subscriptionIn } from './lookup'
import { type Account, type DeletedCustomer, graceOf, hasEnded, makesPro, type Subscription } from './provider'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const CHECK_EVERY_MS = 24 * HOUR
const RENEWAL_MS = 10 * MINUTE

export const openBillingAccount = (db: Db, { id: userId, email }: SignedIn) =>
  db.insert(billing).values({ userId, email }).onConflictDoNothing()

export async function storeCustomer(db: Db, { userId }: Account, customerId: string): Promise<void> {
  const stored = await db
    .update(users)
    .set({ stripeCustomerId: customerId })
    .where(eq(users.id, userId))
    .returning({ id: users.id })
  if (stored.length === 0) throw unauthorized()
}

/** Stripe repeats a refusal for the same key; two refusals at once raise it once. */
export const raiseAttempt = (db: Db, { userId, attempt }: Account) =>
  db
    .update(billing)
    .set({ attempt: attempt + 1 })
    .where(and(eq(billing.userId, userId), eq(billing.attempt, attempt)))

/** Null if another answer was stored meanwhile and this may be outdated. Throws UNAUTHORIZED. */
export async function storeSubscription(
  db: Db,
  account: Account,
  found: Subscription | null,
): Promise<{ user: OwnUser; isNews: boolean } | null> {
  const ofUser = eq(users.id, account.userId)
  // Lock order: the account first, as in deletion.
  await db.select({ id: users.id }).from(users).where(ofUser).for('no key update')
  const [before] = await db.select().from(billing).where(eq(billing.userId, account.userId))
  if (!before) throw unauthorized()
  if (before.version !== account.version) return null
  const graceUntil = found && graceOf({ subscription: subscriptionIn(before), graceUntil: before.graceUntil }, found)
  const isPro = found !== null && makesPro(found, graceUntil)
  await db
    .update(billing)
    .set({
      version: before.version + 1,
      subscriptionId: found?.id ?? null,
      status: found?.status ?? null,
      cancelAtPeriodEnd: found?.cancelAtPeriodEnd ?? false,
      currentPeriodEnd: found?.currentPeriodEnd ?? null,
      graceUntil,
      isPro,
      nextCheckAt: found && nextCheck(found, graceUntil),
    })
    .where(eq(billing.userId, account.userId))
  const isNewPlan = isPro !== before.isPro
  const [user] = await db
    .update(users)
    .set({
      stripeSubscriptionId: found && !hasEnded(found) ? found.id : null,
      ...(isNewPlan && { isPro: sql`${isPro} or ${users.proGiven}` }),
    })
    .where(ofUser)
    .returning(ownColumns)
  if (!user) throw unauthorized()
  return { user, isNews: isNewPlan || (isPro && statusChanged(before, found)) }
}

const statusChanged = (before: typeof billing.$inferSelect, found: Subscription | null) =>
  before.status !== found?.status ||
  before.cancelAtPeriodEnd !== found?.cancelAtPeriodEnd ||
  before.currentPeriodEnd?.getTime() !== found.currentPeriodEnd?.getTime()

function nextCheck(found: Subscription, graceUntil: Date | null): Date | null {
  if (hasEnded(found)) return null
  const now = Date.now()
  const moments = [now + CHECK_EVERY_MS]
  const end = found.currentPeriodEnd?.getTime()
  if (end !== undefined) moments.push(end > now ? end + RENEWAL_MS : now + RETRY_AFTER_MS)
  const graceEnd = graceUntil?.getTime() ?? 0
  if (graceEnd > now) moments.push(graceEnd)
  return new Date(Math.min(...moments))
}

export async function readStatus(db: Db, { id: userId }: SignedIn): Promise<{ status: SubscriptionStatus; isAwaited: boolean }> {
  const [row] = await db.select().from(billing).where(eq(billing.userId, userId))
  const isAwaited = row?.status === 'incomplete'
  // Stripe keeps trying to charge what is past due, even after the grace period.
  if (!row?.isPro && row?.status !== 'past_due')
    return { status: { cancelAtPeriodEnd: false, currentPeriodEnd: null, paymentFailed: false }, isAwaited }
  const { cancelAtPeriodEnd, currentPeriodEnd, status } = row
  const end = currentPeriodEnd?.toISOString() ?? null
  return { status: { cancelAtPeriodEnd, currentPeriodEnd: end, paymentFailed: status === 'past_due' }, isAwaited }
}

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
