import { and, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '../../db/database'
import { mails } from '../../db/schema'

export type Mail = { to: string; subject: string; text: string; html: string; unsubscribe?: string }

export type ClaimedMail = typeof mails.$inferSelect

const MINUTE = 60_000

/** Five tries within an hour. After the last delay the mail has ended, or its process has. */
const RETRY_DELAYS_MS = [1 * MINUTE, 4 * MINUTE, 15 * MINUTE, 40 * MINUTE, 1 * MINUTE]
export const MAX_TRIES = RETRY_DELAYS_MS.length

/** Shorter than any retry delay, so tries never overlap. */
export const TRY_TIMEOUT_MS = 50_000

const KEPT_DAYS = 14

const MAX_ERROR_LENGTH = 500

export type Delivery = 'send' | 'drop'
const NOBODY = 'nobody'
export const isDropped = ({ recipient }: ClaimedMail) => recipient === NOBODY

/** Writes a mail in the transaction of its cause; it is sent after the commit. */
export async function writeMail(db: Db, { to, ...mail }: Mail, delivery: Delivery = 'send'): Promise<void> {
  await db.insert(mails).values({ recipient: delivery === 'drop' ? NOBODY : to, ...mail })
}

// A literal, not a parameter: otherwise Postgres cannot use the partial index.
const waiting = sql`${mails.state} = 'waiting'`
// Rounded as the column is: a mail written just now is due.
const due = sql`${mails.nextTryAt} <= now()::timestamptz(3)`

/** Schedules the next try at once, so a killed process neither loses the mail nor has it sent again right away. */
export async function claimMail(db: Db): Promise<ClaimedMail | undefined> {
  const next = db
    .select({ id: mails.id })
    .from(mails)
    .where(and(waiting, due, lt(mails.tries, MAX_TRIES)))
    .orderBy(mails.nextTryAt, mails.id)
    .limit(1)
    .for('update', { skipLocked: true })
  const wait = sql`(${sql.raw(`array[${RETRY_DELAYS_MS.join()}]`)})[${mails.tries} + 1]`
  const [mail] = await db
    .update(mails)
    .set({ tries: sql`${mails.tries} + 1`, nextTryAt: sql`now() + ${wait} * interval '1 millisecond'` })
    .where(eq(mails.id, next))
    .returning()
  return mail
}

/** A body may hold a link that signs in, so it is emptied once done with. */
const EMPTY_BODY = { text: '', html: '', unsubscribe: null }

export async function markSent(db: Db, { id }: ClaimedMail): Promise<void> {
  await db
    .update(mails)
    .set({ ...EMPTY_BODY, state: 'sent', sentAt: sql`now()`, lastError: null })
    .where(eq(mails.id, id))
}

export async function markFailed(db: Db, { id, tries }: ClaimedMail, reason: string): Promise<void> {
  // Postgres stores no NUL, and a mail server can answer anything.
  const lastError = reason.replaceAll('\0', '').slice(0, MAX_ERROR_LENGTH).toWellFormed()
  const givenUp = tries >= MAX_TRIES ? ({ ...EMPTY_BODY, state: 'failed' } as const) : {}
  await db
    .update(mails)
    .set({ ...givenUp, lastError })
    .where(and(eq(mails.id, id), waiting))
}

/** What was not sent; of those that wait, the oldest. */
export async function mailQueue(db: Db): Promise<{ waiting: number; failed: number; oldestSeconds: number }> {
  const [queue] = await db
    .select({
      waiting: sql<number>`count(*) filter (where ${waiting})::int`,
      failed: sql<number>`count(*) filter (where not ${waiting})::int`,
      oldestSeconds: sql<number>`coalesce(extract(epoch from now() - min(${mails.createdAt}) filter (where ${waiting})), 0)::float8`,
    })
    .from(mails)
    .where(sql`${waiting} or ${mails.state} = 'failed'`)
  return queue ?? { waiting: 0, failed: 0, oldestSeconds: 0 }
}

export async function cleanMails(db: Db): Promise<void> {
  await db
    .update(mails)
    .set({ ...EMPTY_BODY, state: 'failed' })
    .where(and(waiting, due, eq(mails.tries, MAX_TRIES)))
  await db.delete(mails).where(and(eq(mails.state, 'sent'), lt(mails.createdAt, sql`now() - ${KEPT_DAYS} * interval '1 day'`)))
}
