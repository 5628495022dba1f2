import { and, asc, desc, eq, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import { lockBoard } from '../../../boards/server/store'
import type { Db } from '../../../db/client'
import { boards, tasks, timeEntries, users } from '../../../db/schema'
import { conflict } from '../../../server/errors'
import type { EntryGrant, MemberGrant, StartGrant, TaskGrant } from '../../../server/grants'
import { ASKED_AFTER, type NewTimeEntry, type TimeEntry, type Timer, TOO_MANY_TIMERS } from '../../entries/schema'
import { addEntry, entryColumns, itsTask, readEntries, toEntry, writeEntry } from '../../entries/server/store'
import { confirmed, ended, put, turned } from './transitions'

// Written out, not given as parameters: else Postgres could not tell that the partial indexes serve.
const isActive = sql`${timeEntries.status} = 'ACTIVE'`
const isTimer = sql`${timeEntries.status} <> 'completed'`
const isRunning = (userId: number) => and(eq(timeEntries.userId, userId), isActive)

/** Any number, the same in every wrk process. */
const TIMERS_LOCK = 7_217_002

/**
 * Makes this transaction the only one that starts a timer of someone's, and the only one to change a board and that
 * of the timer that runs: in the order of their ids, as everyone takes them. Taken before any other lock.
 */
export async function holdTimers(db: Db, userId: number, boardId: number | undefined): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(${TIMERS_LOCK}::int, ${userId}::int)`)
  const active = await db.select({ boardId: timeEntries.boardId }).from(timeEntries).where(isRunning(userId))
  const held = new Set([...active.map((row) => row.boardId), ...(boardId === undefined ? [] : [boardId])])
  for (const id of [...held].toSorted((a, b) => a - b)) await lockBoard(db, id)
}

const TIMERS_MAX = 100

/** Someone's own timers, the one that runs first, then the youngest. */
export async function listTimers(db: Db, viewer: { id: number }): Promise<Timer[]> {
  const rows = await db
    .select({ ...entryColumns, board: boards.name })
    .from(timeEntries)
    .innerJoin(tasks, itsTask)
    .innerJoin(users, eq(users.id, timeEntries.userId))
    .innerJoin(boards, eq(boards.id, timeEntries.boardId))
    .where(and(eq(timeEntries.userId, viewer.id), isTimer))
    .orderBy(asc(timeEntries.status), desc(timeEntries.id))
    .limit(TIMERS_MAX)
  return rows.map(({ board, ...row }) => ({ ...toEntry(row), board }))
}

/** Starts a timer; `restRunning` comes first. Throws CONFLICT where too many rest. */
export async function startTimer(db: Db, grant: StartGrant, given: NewTimeEntry, now: number): Promise<TimeEntry> {
  const own = and(eq(timeEntries.userId, grant.viewer.id), isTimer)
  if ((await db.$count(timeEntries, own)) >= TIMERS_MAX) throw conflict(TOO_MANY_TIMERS)
  const startTime = new Date(now)
  return addEntry(db, grant, given, { startTime, runningSince: startTime, duration: 0, status: 'ACTIVE' })
}

/** Pauses the viewer's timer that runs, on whichever board, but for one; null where there is none. */
export async function restRunning(db: Db, { viewer }: StartGrant | EntryGrant, now: number, but = 0) {
  const [row] = await readEntries(db).where(and(isRunning(viewer.id), ne(timeEntries.id, but)))
  return row ? writeEntry(db, toEntry(row), turned(toEntry(row), { status: 'PAUSED' }, now)) : null
}

/** Pauses the timers that run on a task which is about to be deleted; answers them. */
export async function restOfTask(db: Db, { task }: TaskGrant<'delete'>, now: number): Promise<TimeEntry[]> {
  const rows = await readEntries(db)
    .where(and(eq(timeEntries.taskId, task.id), isActive))
    .orderBy(asc(timeEntries.id))
  return each(rows.map(toEntry), (entry) => writeEntry(db, entry, put(entry, now)))
}

/** Whose timers run or rest on a task, also on one in the trash. */
export async function timekeepers(db: Db, taskId: number): Promise<number[]> {
  const rows = await db
    .selectDistinct({ userId: timeEntries.userId })
    .from(timeEntries)
    .where(and(eq(timeEntries.taskId, taskId), isTimer))
  return rows.map(({ userId }) => userId)
}

/** Completes the timers of a member who goes, also those in the trash; answers those that others see. */
export async function endTimers(db: Db, { board, memberId }: MemberGrant, now: number): Promise<TimeEntry[]> {
  const rows = await readEntries(db, eq(tasks.id, timeEntries.taskId))
    .where(and(eq(timeEntries.boardId, board.id), eq(timeEntries.userId, memberId), isTimer))
    .orderBy(asc(timeEntries.id))
    // What is let go of with its task at this moment is not there, or waits.
    .for('update', { of: timeEntries })
  const completed = await each(rows.map(toEntry), (entry) => writeEntry(db, entry, ended(entry, now)))
  const trash = await db
    .select({ id: tasks.id })
    .from(tasks)
    .where(and(eq(tasks.boardId, board.id), isNotNull(tasks.deletedAt)))
  return completed.filter(({ taskId }) => trash.every(({ id }) => id !== taskId))
}

/** One after the other: a transaction has one connection. */
async function each<T, R>(items: T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (const item of items) done.push(await work(item))
  return done
}

/** Its owner says that all that a timer has counted was work; null where it is none any more. */
export async function confirmTimer(db: Db, { entry }: EntryGrant, now: number): Promise<TimeEntry | null> {
  return entry.status === 'completed' ? null : writeEntry(db, entry, confirmed(entry, now))
}

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
