import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { lockBoard } from '../../../boards/server/lookup'
import type { Db } from '../../../db/database'
import { tasks, timeEntries } from '../../../db/schema'
import type { TimeEntry } from '../../entries/schema'
import { databaseNow, selectEntries, toEntry } from '../../entries/server/lookup'

// Literals instead of parameters, so that Postgres can use the partial indexes.
export const isTimer = sql`${timeEntries.status} <> 'completed'`
export const isActive = sql`${timeEntries.status} = 'ACTIVE'`

/** Any number, the same in every wrk process. */
const TIMERS_LOCK = 7_217_002

/** Lock order: the user's timers first, then boards by id, because the running timer may be on another board. */
export async function lockTimers(db: Db, userId: number, boardId: number): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(${TIMERS_LOCK}::int, ${userId}::int)`)
  const active = await db
    .select({ boardId: timeEntries.boardId })
    .from(timeEntries)
    .where(and(eq(timeEntries.userId, userId), isActive))
  const boardIds = new Set([...active.map((row) => row.boardId), boardId])
  for (const id of [...boardIds].toSorted((a, b) => a - b)) await lockBoard(db, id)
}

/** In milliseconds by the database's clock; `at` is when something was done that is told now. */
export type Moments = { now: number; at: number }

const BELIEVED_MS = 24 * 60 * 60_000
const milliseconds = (moment: SQL) => sql<number>`floor(extract(epoch from ${moment}) * 1000)::float8`
const countedUntil = sql`${timeEntries.startTime} + ${timeEntries.counted} * interval '1 millisecond'`
const changed = sql`coalesce(${timeEntries.runningSince}, ${timeEntries.endTime}, ${countedUntil})`

/** Never in the future, nor before the last change of one of these timers, or what they counted would overlap. */
export async function momentsOf(db: Db, at: string | undefined, timers: (TimeEntry | undefined)[]): Promise<Moments> {
  const now = await databaseNow(db)
  if (at === undefined) return { now, at: now }
  const ids = timers.flatMap((timer) => timer?.id ?? [])
  const [row] = await db
    .select({ last: milliseconds(sql`max(greatest(${changed}, ${timeEntries.startTime}))`) })
    .from(timeEntries)
    .where(inArray(timeEntries.id, ids))
  return { now, at: Math.min(now, Math.max(Date.parse(at), now - BELIEVED_MS, row?.last ?? 0)) }
}

export async function activeTimers(db: Db, of: SQL): Promise<TimeEntry[]> {
  const rows = await selectEntries(db).where(and(of, isActive)).orderBy(asc(timeEntries.id))
  return rows.map(toEntry)
}

/** Includes timers on soft-deleted tasks; locks them, so that they are not purged meanwhile. */
export async function timersOfMember(db: Db, boardId: number, userId: number): Promise<TimeEntry[]> {
  const rows = await selectEntries(db, eq(tasks.id, timeEntries.taskId))
    .where(and(eq(timeEntries.boardId, boardId), eq(timeEntries.userId, userId), isTimer))
    .orderBy(asc(timeEntries.id))
    .for('update', { of: timeEntries })
  return rows.map(toEntry)
}
