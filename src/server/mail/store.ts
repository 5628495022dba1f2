import { and, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { mails } from '../../db/schema'

/** A mail to one address, in both forms. */
export type Mail = { to: string; subject: string; text: string; html: string; unsubscribe?: string }

/** A mail that the caller, and nobody else, may try to send now; `tries` counts this try. */
export type Due = typeof mails.$inferSelect

const MINUTE = 60_000

/**
 * How long after each try the next one comes, in milliseconds: five tries within an hour (contract.md, section 6).
 * After the last one nothing comes; by then it has ended, or its process has.
 */
const NEXT_TRY_AFTER = [1 * MINUTE, 4 * MINUTE, 15 * MINUTE, 40 * MINUTE, 1 * MINUTE]
export const TRIES = NEXT_TRY_AFTER.length

/** No try takes longer, in milliseconds, so that the next one never meets it. */
export const TRY_AT_MOST = 50_000

/** What is left of mails that were sent is kept this many days; of those given up, for ever. */
const KEPT_DAYS = 14

const LONGEST_ERROR = 500

/**
 * A mail that is dropped goes to nobody, and takes the same way as others up to the mail server: nobody learns by the
 * time that it takes who has an account.
 */
export type Fate = 'send' | 'drop'
const NOBODY = 'nobody'
export const isDropped = ({ recipient }: Due) => recipient === NOBODY

/** Writes a mail in the transaction of its cause; it is sent after the commit. */
export async function writeMail(db: Db, { to, ...mail }: Mail, fate: Fate = 'send'): Promise<void> {
  await db.insert(mails).values({ recipient: fate === 'drop' ? NOBODY : to, ...mail })
}

// Written out, not given as a parameter: else Postgres could not tell that the index of waiting mails serves.
const waiting = sql`${mails.state} = 'waiting'`
// As precise as the column, which rounds: a mail that was just written is due.
const due = sql`${mails.nextTryAt} <= now()::timestamptz(3)`

/**
 * Takes the mail that has been due longest. It counts as tried and comes again at its next try's moment, so a process
 * that is killed on the way neither loses it nor leaves it to be sent at once again.
 */
export async function claimMail(db: Db): Promise<Due | undefined> {
  const next = db
    .select({ id: mails.id })
    .from(mails)
    .where(and(waiting, due, lt(mails.tries, TRIES)))
    .orderBy(mails.nextTryAt, mails.id)
    .limit(1)
    .for('update', { skipLocked: true })
  const wait = sql`(${sql.raw(`array[${NEXT_TRY_AFTER.join()}]`)})[${mails.tries} + 1]`
  const [mail] = await db
    .update(mails)
    .set({ tries: sql`${mails.tries} + 1`, nextTryAt: sql`now() + ${wait} * interval '1 millisecond'` })
    .where(eq(mails.id, next))
    .returning()
  return mail
}

/** What was in it goes when it is done with: it may be a link that signs in. */
const EMPTIED = { text: '', html: '', unsubscribe: null }

export async function markSent(db: Db, { id }: Due): Promise<void> {
  await db
    .update(mails)
    .set({ ...EMPTIED, state: 'sent', sentAt: sql`now()`, lastError: null })
    .where(eq(mails.id, id))
}

/** Keeps why a try failed; after the last one the mail is given up. */
export async function markFailed(db: Db, { id, tries }: Due, reason: string): Promise<void> {
  // Postgres takes no NUL, and whoever answered may have said anything.
  const lastError = reason.replaceAll('\0', '').slice(0, LONGEST_ERROR).toWellFormed()
  const givenUp = tries >= TRIES ? ({ ...EMPTIED, state: 'failed' } as const) : {}
  await db
    .update(mails)
    .set({ ...givenUp, lastError })
    .where(and(eq(mails.id, id), waiting))
}

/** Gives up mails whose process ended within their last try, and forgets those that were sent long ago. */
export async function cleanMails(db: Db): Promise<void> {
  await db
    .update(mails)
    .set({ ...EMPTIED, state: 'failed' })
    .where(and(waiting, due, eq(mails.tries, TRIES)))
  await db.delete(mails).where(and(eq(mails.state, 'sent'), lt(mails.createdAt, sql`now() - ${KEPT_DAYS} * interval '1 day'`)))
}
