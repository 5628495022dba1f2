import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import { lockBoard } from '../../../boards/server/lookup'
import type { Db } from '../../../db/client'
import { tasks, timeEntries, users } from '../../../db/schema'
import type { UserSummary } from '../../../users/schema'
import { summaryJson } from '../../../users/server/lookup'
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
}

/** Joins the task of an entry; excludes soft-deleted tasks. */
export const ofTask = and(eq(tasks.id, timeEntries.taskId), isNull(tasks.deletedAt))

export const readEntries = (db: Db, tasksRead = ofTask) =>
  db
    .select(entryColumns)
    .from(timeEntries)
    .innerJoin(tasks, tasksRead)
    .innerJoin(users, eq(users.id, timeEntries.userId))
    .$dynamic()

type Row = Awaited<ReturnType<typeof readEntries>>[number]

export const toEntry = (row: Row): TimeEntry => ({
  ...row,
  startTime: row.startTime.toISOString(),
  endTime: row.endTime?.toISOString() ?? null,
  runningSince: row.runningSince?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
})

/** The time that timers go by, in milliseconds: the database's, which all processes share. */
export async function databaseNow(db: Db): Promise<number> {
  const [row] = await db
    .select({ now: sql<number>`floor(extract(epoch from clock_timestamp()) * 1000)::float8` })
    .from(sql`(values (1)) as one`)
  if (!row) throw new Error('the database has no clock')
  return row.now
}

/** The board of an entry, which never changes. */
export async function boardOfEntry(db: Db, entryId: number): Promise<number | undefined> {
  const [row] = await db.select({ boardId: timeEntries.boardId }).from(timeEntries).where(eq(timeEntries.id, entryId))
  return row?.boardId
}

export async function findEntry(db: Db, entryId: number): Promise<TimeEntry | undefined> {
  const [row] = await readEntries(db).where(eq(timeEntries.id, entryId))
  return row && toEntry(row)
}

/** The minutes logged on a task, as in `task.minutes`. */
export async function loggedMinutes(db: Db, taskId: number): Promise<number> {
  const [row] = await db
    .select({ minutes: sql<number>`coalesce(sum(${timeEntries.duration}), 0)::float8` })
    .from(timeEntries)
    .where(and(eq(timeEntries.taskId, taskId), ne(timeEntries.status, 'ACTIVE')))
  return row?.minutes ?? 0
}

// Written out, not given as a parameter: else Postgres could not tell that the partial index serves.
export const isActive = sql`${timeEntries.status} = 'ACTIVE'`

/** Any number, the same in every wrk process. */
const TIMERS_LOCK = 7_217_002

/**
 * Makes this transaction the only one that starts a timer of someone's, and the only one to change a board and that
 * of the timer that runs: in the order of their ids, as everyone takes them. Taken before any other lock.
 */
export async function lockTimers(db: Db, userId: number, boardId: number | undefined): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(${TIMERS_LOCK}::int, ${userId}::int)`)
  const active = await db
    .select({ boardId: timeEntries.boardId })
    .from(timeEntries)
    .where(and(eq(timeEntries.userId, userId), isActive))
  const held = new Set([...active.map((row) => row.boardId), ...(boardId === undefined ? [] : [boardId])])
  for (const id of [...held].toSorted((a, b) => a - b)) await lockBoard(db, id)
}
