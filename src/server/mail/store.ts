import { and, desc, eq, lt, ne, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/database'
import { mails, users } from '../../db/tables'

export type Mail = { to: string; subject: string; text: string; html: string; unsubscribe?: string }

export type ClaimedMail = typeof mails.$inferSelect

const MINUTE = 60_000

/** Five tries within an hour. After the last delay the send, or its process, has ended. */
const RETRY_DELAYS_MS = [1 * MINUTE, 4 * MINUTE, 15 * MINUTE, 40 * MINUTE, 1 * MINUTE]
export const MAX_TRIES = RETRY_DELAYS_MS.length

/** Shorter than any retry delay, so tries never overlap. */
export const TRY_TIMEOUT_MS = 50_000

const KEPT_DAYS = 14
/** How long failed mails can be retried. */
const RETRIED_HOURS = 24

const MAX_ERROR_LENGTH = 500

export type Delivery = 'send' | 'drop'
const NOBODY = 'nobody'
export const isDropped = ({ recipient }: Pick<ClaimedMail, 'recipient'>) => recipient === NOBODY

/** Writes a mail in the transaction of its cause, to be sent after the commit. Skips proven addresses of disabled accounts. */
export async function writeMail(db: Db, { to, ...mail }: Mail, delivery: Delivery = 'send', causedBy?: number): Promise<void> {
  const disabled = sql`exists (select 1 from ${users} where ${users.email} = ${to} and ${users.disabledAt} is not null
    and ${users.emailVerifiedAt} is not null)`
  const recipient = delivery === 'drop' ? NOBODY : sql`case when ${disabled} then ${NOBODY} else ${to} end`
  await db.insert(mails).values({ recipient, causedBy, ...mail })
}

export const deleteUnsent = (db: Db, to: string) => db.delete(mails).where(and(or(waiting, failed), eq(mails.recipient, to)))

// Literals, not parameters: otherwise Postgres cannot use the partial index.
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

const failed = sql`${mails.state} = 'failed'`

const { id, recipient, lastError, createdAt } = mails
const failedColumns = { id, to: recipient, error: lastError, createdAt, mayRetry: sql<boolean>`${mails.text} <> ''` }

export const failedMails = (db: Db, before: number, limit: number) =>
  db
    .select(failedColumns)
    .from(mails)
    .where(and(failed, lt(mails.id, before)))
    .orderBy(desc(mails.id))
    .limit(limit)

export async function retryMails(db: Db, mailId?: number): Promise<number> {
  const which = and(failed, ne(mails.text, ''), mailId === undefined ? undefined : eq(mails.id, mailId))
  const again = { state: 'waiting', tries: 0, nextTryAt: sql`now()` } as const
  return (await db.update(mails).set(again).where(which).returning({ id: mails.id })).length
}

/** A body may hold a link that signs in, so it is emptied afterwards. */
const EMPTY_BODY = { text: '', html: '', unsubscribe: null }

export async function markSent(db: Db, { id }: ClaimedMail): Promise<void> {
  await db
    .update(mails)
    .set({ ...EMPTY_BODY, state: 'sent', sentAt: sql`now()`, lastError: null })
    .where(eq(mails.id, id))
}

export async function markFailed(db: Db, { id, tries }: ClaimedMail, reason: string): Promise<void> {
  // A mail server may answer NULs, which Postgres cannot store.
  const lastError = reason.replaceAll('\0', '').slice(0, MAX_ERROR_LENGTH).toWellFormed()
  const givenUp = tries >= MAX_TRIES ? ({ state: 'failed' } as const) : {}
  await db
    .update(mails)
    .set({ ...givenUp, lastError })
    .where(and(eq(mails.id, id), waiting))
}

export async function mailQueue(db: Db): Promise<{ waiting: number; failed: number; oldestSeconds: number }> {
  const [queue] = await db
    .select({
      waiting: sql<number>`count(*) filter (where ${waiting})::int`,
      failed: sql<number>`count(*) filter (where ${failed})::int`,
      oldestSeconds: sql<number>`coalesce(extract(epoch from now() - min(${mails.createdAt}) filter (where ${waiting})), 0)::float8`,
    })
    .from(mails)
    .where(or(waiting, failed))
  return queue ?? { waiting: 0, failed: 0, oldestSeconds: 0 }
}

export async function cleanMails(db: Db): Promise<void> {
  await db
    .update(mails)
    .set({ state: 'failed' })
    .where(and(waiting, due, eq(mails.tries, MAX_TRIES)))
  await db
    .update(mails)
    .set(EMPTY_BODY)
    .where(and(failed, ne(mails.text, ''), lt(mails.createdAt, sql`now() - ${RETRIED_HOURS} * interval '1 hour'`)))
  await db.delete(mails).where(and(ne(mails.state, 'waiting'), lt(mails.createdAt, sql`now() - ${KEPT_DAYS} * interval '1 day'`)))
}
