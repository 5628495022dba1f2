import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database'
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

export async function loggedMinutes(db: Db, taskId: number): Promise<number> {
  const [row] = await db
    .select({ minutes: sql<number>`coalesce(sum(${timeEntries.duration}), 0)::float8` })
    .from(timeEntries)
    .where(and(eq(timeEntries.taskId, taskId), ne(timeEntries.status, 'ACTIVE')))
  return row?.minutes ?? 0
}

/** Everybody who has time on a task, their timers too. */
export async function workersOn(db: Db, taskId: number): Promise<number[]> {
  const rows = await db.selectDistinct({ userId: timeEntries.userId }).from(timeEntries).where(eq(timeEntries.taskId, taskId))
  return rows.map(({ userId }) => userId)
}
