import { and, asc, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { boards, tasks, timeEntries, users } from '../../../db/schema'
import { conflict } from '../../../server/errors'
import type { SignedIn } from '../../../server/session'
import { ASKED_AFTER, type NewTimeEntry, type TimeEntry, type Timer, TOO_MANY_TIMERS } from '../../entries/schema'
import type { EntryGrant, EntryWriteGrant } from '../../entries/server/grants'
import { entryColumns, isActive, ofTask, readEntries, toEntry } from '../../entries/server/lookup'
import { addEntry, writeEntry } from '../../entries/server/store'
import { completeForOwner, confirm, pauseForOwner, transition } from '../../entries/server/transitions'
import type { RunningTimerGrant, StartGrant } from './grants'
import { isTimer } from './lookup'

const TIMERS_MAX = 100

/** Someone's own timers, the one that runs first, then the youngest. */
export async function listTimers(db: Db, viewer: SignedIn): Promise<Timer[]> {
  const rows = await db
    .select({ ...entryColumns, board: boards.name })
    .from(timeEntries)
    .innerJoin(tasks, ofTask)
    .innerJoin(users, eq(users.id, timeEntries.userId))
    .innerJoin(boards, eq(boards.id, timeEntries.boardId))
    .where(and(eq(timeEntries.userId, viewer.id), isTimer))
    .orderBy(asc(timeEntries.status), desc(timeEntries.id))
    .limit(TIMERS_MAX)
  return rows.map(({ board, ...row }) => ({ ...toEntry(row), board }))
}

/** Starts a timer; `pauseRunning` comes first. Throws CONFLICT where too many rest. */
export async function startTimer(db: Db, grant: StartGrant, given: NewTimeEntry, now: number): Promise<TimeEntry> {
  const own = and(eq(timeEntries.userId, grant.viewer.id), isTimer)
  if ((await db.$count(timeEntries, own)) >= TIMERS_MAX) throw conflict(TOO_MANY_TIMERS)
  const startTime = new Date(now)
  return addEntry(db, grant, given, { startTime, runningSince: startTime, duration: 0, status: 'ACTIVE' })
}

/** Pauses a timer that runs because another one is about to. */
export const pauseRunning = (db: Db, grant: RunningTimerGrant, now: number): Promise<TimeEntry> =>
  writeEntry(db, grant, transition(grant.entry, { status: 'PAUSED' }, now))

/** Pauses the timers of a task that is about to be deleted; answers them. */
export const pauseForDeletion = (db: Db, grants: EntryWriteGrant[], now: number): Promise<TimeEntry[]> =>
  each(grants, (grant) => writeEntry(db, grant, pauseForOwner(grant.entry, now)))

/** Completes the timers of a member who goes; answers those on tasks that are not deleted. */
export async function endTimers(db: Db, grants: EntryWriteGrant[], now: number): Promise<TimeEntry[]> {
  const completed = await each(grants, (grant) => writeEntry(db, grant, completeForOwner(grant.entry, now)))
  const taskIds = completed.map(({ taskId }) => taskId)
  const deleted = await db
    .select({ id: tasks.id })
    .from(tasks)
    .where(and(inArray(tasks.id, taskIds), isNotNull(tasks.deletedAt)))
  return completed.filter(({ taskId }) => deleted.every(({ id }) => id !== taskId))
}

/** One after the other: a transaction has one connection. */
async function each<T, R>(items: T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (const item of items) done.push(await work(item))
  return done
}

/** The owner confirms that all that a timer has counted was work; null where it was completed. */
export const confirmTimer = async (db: Db, grant: EntryGrant, now: number): Promise<TimeEntry | null> =>
  grant.entry.status === 'completed' ? null : writeEntry(db, grant, confirm(grant.entry, now))

const milliseconds = sql`extract(epoch from now() - ${timeEntries.runningSince}) * 1000`
const isOverdue = sql`${timeEntries.counted} + greatest(0, ${milliseconds}) - ${timeEntries.confirmed} >= ${ASKED_AFTER}`

/**
 * Takes the timers whose owners are to be asked by mail whether they still work: each is taken once, until it is
 * confirmed. Whoever deletes such an account waits for this, and takes the mail along.
 */
export async function claimOverdue(db: Db): Promise<Overdue[]> {
  const rows = await db
    .select({ id: timeEntries.id, email: users.email, unsubscribeToken: users.unsubscribeToken })
    .from(timeEntries)
    .innerJoin(users, eq(users.id, timeEntries.userId))
    .where(and(isActive, isNull(timeEntries.askedAt), isOverdue, users.emailNotifications, users.notifyTimeEntries))
    .limit(CLAIMED_AT_ONCE)
    .for('no key update', { skipLocked: true })
  const owners = new Map(rows.map(({ id, ...owner }) => [id, owner]))
  if (owners.size === 0) return []
  const claimed = inArray(timeEntries.id, [...owners.keys()])
  await db.update(timeEntries).set({ askedAt: sql`now()` }).where(claimed)
  const entries = await readEntries(db).where(claimed)
  return entries.flatMap((row) => {
    const owner = owners.get(row.id)
    return owner ? [{ ...toEntry(row), ...owner }] : []
  })
}

/** A timer whose owner is to be asked by mail, with what that mail needs of them. */
export type Overdue = TimeEntry & { email: string; unsubscribeToken: string }

const CLAIMED_AT_ONCE = 100
