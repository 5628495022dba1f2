import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, max, ne, sql } from 'drizzle-orm'
import { isMemberOf, notDeleted } from '../../boards/server/lookup'
import type { Db } from '../../db/database'
import { boards, notifications, tasks, timeEntries, users } from '../../db/tables'
import { conflict } from '../../server/errors'
import type { SignedIn } from '../../server/signedIn'
import { ALREADY_STOPPED, OVERDUE_AFTER, roundedMinutes, TOO_MANY_TIMERS, UNDONE_WITHIN } from '../limits'
import type { NewTimeEntry, TimeEntry, Timer } from '../schema'
import type { EntryGrant, EntryWriteGrant, ResumeGrant, RunningTimerGrant, StartGrant } from './grants'
import { entryColumns, isActive, isTimer, joinsTask, selectEntries, toEntry } from './lookup'
import { addEntry, writeEntry } from './store'
import { completeForOwner, confirm, pauseForOwner, transition, unstopped } from './timerTransitions'

const TIMERS_MAX = 100

export async function listTimers(db: Db, viewer: SignedIn): Promise<Timer[]> {
  const rows = await db
    .select({ ...entryColumns, board: boards.name })
    .from(timeEntries)
    .innerJoin(tasks, joinsTask)
    .innerJoin(users, eq(users.id, timeEntries.userId))
    .innerJoin(boards, and(eq(boards.id, timeEntries.boardId), notDeleted))
    .where(and(eq(timeEntries.userId, viewer.id), isTimer))
    .orderBy(asc(timeEntries.status), desc(timeEntries.id))
    .limit(TIMERS_MAX)
  return rows.map(({ board, ...row }) => ({ ...toEntry(row), board }))
}

/** Call `pauseRunning` first. Throws CONFLICT if the user has too many timers. */
export async function startTimer(db: Db, grant: StartGrant, given: NewTimeEntry, now: number): Promise<TimeEntry> {
  await assertRoom(db, grant.viewer)
  const startTime = new Date(now)
  return addEntry(db, grant, given, { startTime, runningSince: startTime, duration: 0, status: 'ACTIVE' })
}

async function assertRoom(db: Db, { id }: SignedIn): Promise<void> {
  const [own] = await db
    .select({ timers: count() })
    .from(timeEntries)
    .innerJoin(tasks, joinsTask)
    .where(and(eq(timeEntries.userId, id), isTimer, isMemberOf(timeEntries.boardId, id)))
  if (own && own.timers >= TIMERS_MAX) throw conflict(TOO_MANY_TIMERS)
}

export const pauseRunning = (db: Db, grant: RunningTimerGrant, now: number): Promise<TimeEntry> =>
  writeEntry(db, grant, transition(grant.entry, { status: 'PAUSED' }, now))

/**
 * Undoes a stop and removes its notifications. The timer continues from its stop, or from when another timer of the user
 * stopped since, so that no time counts twice. Call `pauseRunning` first. Throws CONFLICT.
 */
export async function unstopTimer(db: Db, grant: ResumeGrant, status: 'ACTIVE' | 'PAUSED', now: number) {
  const { entry } = grant
  const stoppedAt = entry.endTime === null ? 0 : Date.parse(entry.endTime)
  // Neither entries logged by hand nor ones changed since.
  const isAsStopped = entry.counted > 0 && entry.duration === roundedMinutes(entry.counted)
  if (!isAsStopped || stoppedAt > now || now - stoppedAt > UNDONE_WITHIN) throw conflict(ALREADY_STOPPED)
  await assertRoom(db, grant.viewer)
  const otherTimers = and(eq(timeEntries.userId, entry.userId), ne(timeEntries.id, entry.id), gt(timeEntries.counted, 0))
  const [other] = await db
    .select({ last: max(timeEntries.endTime) })
    .from(timeEntries)
    .where(otherTimers)
  const from = Math.max(stoppedAt, Math.min(other?.last?.getTime() ?? 0, now))
  // Those that name a duration: the others are about the timer while it ran.
  const namesDuration = sql`split_part(${notifications.detail}, E'\\n', 1) <> ''`
  await db.delete(notifications).where(and(eq(notifications.timeEntryId, entry.id), namesDuration))
  return writeEntry(db, grant, unstopped(entry, status, from))
}

export const pauseForDeletion = (db: Db, grants: EntryWriteGrant[], now: number): Promise<TimeEntry[]> =>
  inSequence(grants, (grant) => writeEntry(db, grant, pauseForOwner(grant.entry, now)))

/** Completes the timers of a leaving member; returns those on tasks that are not deleted. */
export async function endTimers(db: Db, grants: EntryWriteGrant[], now: number): Promise<TimeEntry[]> {
  const completed = await inSequence(grants, (grant) => writeEntry(db, grant, completeForOwner(grant.entry, now)))
  const taskIds = completed.map(({ taskId }) => taskId)
  const deleted = await db
    .select({ id: tasks.id })
    .from(tasks)
    .where(and(inArray(tasks.id, taskIds), isNotNull(tasks.deletedAt)))
  return completed.filter(({ taskId }) => deleted.every(({ id }) => id !== taskId))
}

/** One after the other, because a transaction has one connection. */
async function inSequence<T, R>(items: T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (const item of items) done.push(await work(item))
  return done
}

export const confirmTimer = async (db: Db, grant: EntryGrant, now: number): Promise<TimeEntry | null> =>
  grant.entry.status === 'completed' ? null : writeEntry(db, grant, confirm(grant.entry, now))

const milliseconds = sql`extract(epoch from now() - ${timeEntries.runningSince}) * 1000`
const isOverdue = sql`${timeEntries.counted} + greatest(0, ${milliseconds}) - ${timeEntries.confirmed} >= ${OVERDUE_AFTER}`

/** Claims each overdue timer once, until it is confirmed. Locks the owners, so that deleting an account deletes the mail too. */
export async function claimOverdue(db: Db): Promise<Overdue[]> {
  const rows = await db
    .select({ id: timeEntries.id, email: users.email, unsubscribeToken: users.unsubscribeToken })
    .from(timeEntries)
    .innerJoin(users, eq(users.id, timeEntries.userId))
    .where(and(isActive, isNull(timeEntries.askedAt), isOverdue, mailsAboutTime))
    .limit(CLAIMED_AT_ONCE)
    .for('no key update', { skipLocked: true })
  const owners = new Map(rows.map(({ id, ...owner }) => [id, owner]))
  if (owners.size === 0) return []
  const claimed = inArray(timeEntries.id, [...owners.keys()])
  await db.update(timeEntries).set({ askedAt: sql`now()` }).where(claimed)
  const entries = await selectEntries(db).where(claimed)
  return entries.flatMap((row) => {
    const owner = owners.get(row.id)
    return owner ? [{ ...toEntry(row), ...owner }] : []
  })
}

export type Overdue = TimeEntry & { email: string; unsubscribeToken: string }

const mailsAboutTime = and(
  isNotNull(users.emailVerifiedAt),
  isNull(users.disabledAt),
  users.emailNotifications,
  users.notifyTimeEntries,
)
const CLAIMED_AT_ONCE = 100
