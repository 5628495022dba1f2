import { and, asc, eq, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { lockBoard } from '../../boards/server/lookup'
import type { Db } from '../../db/database'
import { tasks, timeEntries, users } from '../../db/tables'
import type { UserSummary } from '../../users/schema'
import { summaryJson } from '../../users/server/lookup'
import type { TimeEntry } from '../schema'

export const entryColumns = {
  id: timeEntries.id,
  taskId: timeEntries.taskId,
  boardId: timeEntries.boardId,
  userId: timeEntries.userId,
  task: tasks.title,
  user: sql<UserSummary>`${summaryJson}`,
  startTime: timeEntries.startTime,
  endTime: timeEntries.endTime,
  day: timeEntries.day,
  duration: timeEntries.duration,
  note: timeEntries.note,
  status: timeEntries.status,
  runningSince: timeEntries.runningSince,
  counted: timeEntries.counted,
  confirmed: timeEntries.confirmed,
  billable: timeEntries.billable,
  createdAt: timeEntries.createdAt,
  revision: timeEntries.revision,
}

export const joinsTask = and(eq(tasks.id, timeEntries.taskId), isNull(tasks.deletedAt))

export const selectEntries = (db: Db, tasksRead = joinsTask) =>
  db
    .select(entryColumns)
    .from(timeEntries)
    .innerJoin(tasks, tasksRead)
    .innerJoin(users, eq(users.id, timeEntries.userId))
    .$dynamic()

type Row = Awaited<ReturnType<typeof selectEntries>>[number]

export const toEntry = (row: Row): TimeEntry => ({
  ...row,
  startTime: row.startTime.toISOString(),
  endTime: row.status === 'completed' && row.endTime ? row.endTime.toISOString() : null,
  runningSince: row.runningSince?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
})

/** In milliseconds. Timers use the database's clock, as all processes share it. */
export async function databaseNow(db: Db): Promise<number> {
  const [row] = await db
    .select({ now: sql<number>`floor(extract(epoch from clock_timestamp()) * 1000)::float8` })
    .from(sql`(values (1)) as one`)
  if (!row) throw new Error('the database has no clock')
  return row.now
}

export async function boardOfEntry(db: Db, entryId: number): Promise<number | undefined> {
  const [row] = await db.select({ boardId: timeEntries.boardId }).from(timeEntries).where(eq(timeEntries.id, entryId))
  return row?.boardId
}

export async function findEntry(db: Db, entryId: number): Promise<TimeEntry | undefined> {
  const [row] = await selectEntries(db).where(eq(timeEntries.id, entryId))
  return row && toEntry(row)
}

/** Of all entries of a task, without running timers. */
export async function loggedMinutes(db: Db, taskId: number): Promise<number> {
  const [row] = await db
    .select({ minutes: sql<number>`coalesce(sum(${timeEntries.duration}), 0)::float8` })
    .from(timeEntries)
    .where(and(eq(timeEntries.taskId, taskId), ne(timeEntries.status, 'ACTIVE')))
  return row?.minutes ?? 0
}

export async function workersOn(db: Db, taskId: number): Promise<number[]> {
  const rows = await db.selectDistinct({ userId: timeEntries.userId }).from(timeEntries).where(eq(timeEntries.taskId, taskId))
  return rows.map(({ userId }) => userId)
}

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

/** In milliseconds by the database's clock; `at` is the time of a click that may be sent late. */
export type Moments = { now: number; at: number }

const LATE_AT_MOST_MS = 24 * 60 * 60_000
const milliseconds = (moment: SQL) => sql<number>`floor(extract(epoch from ${moment}) * 1000)::float8`
const countedUntil = sql`${timeEntries.startTime} + ${timeEntries.counted} * interval '1 millisecond'`
const lastChange = sql`coalesce(${timeEntries.runningSince}, ${timeEntries.endTime}, ${countedUntil})`

/** `at` is never in the future, nor before the last change of one of these timers: their times would overlap. */
export async function momentsOf(db: Db, at: string | undefined, timers: (TimeEntry | undefined)[]): Promise<Moments> {
  const now = await databaseNow(db)
  if (at === undefined) return { now, at: now }
  const ids = timers.flatMap((timer) => timer?.id ?? [])
  const [row] = await db
    .select({ last: milliseconds(sql`max(greatest(${lastChange}, ${timeEntries.startTime}))`) })
    .from(timeEntries)
    .where(inArray(timeEntries.id, ids))
  return { now, at: Math.min(now, Math.max(Date.parse(at), now - LATE_AT_MOST_MS, row?.last ?? 0)) }
}

export async function activeTimers(db: Db, of: SQL): Promise<TimeEntry[]> {
  const rows = await selectEntries(db).where(and(of, isActive)).orderBy(asc(timeEntries.id))
  return rows.map(toEntry)
}

/** Includes timers on deleted tasks; locks them, so that they are not purged meanwhile. */
export async function timersOfMember(db: Db, boardId: number, userId: number): Promise<TimeEntry[]> {
  const rows = await selectEntries(db, eq(tasks.id, timeEntries.taskId))
    .where(and(eq(timeEntries.boardId, boardId), eq(timeEntries.userId, userId), isTimer))
    .orderBy(asc(timeEntries.id))
    .for('update', { of: timeEntries })
  return rows.map(toEntry)
}
