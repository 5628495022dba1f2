import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { tasks, timeEntries } from '../../../db/schema'
import type { TimeEntry } from '../../entries/schema'
import { isActive, readEntries, toEntry } from '../../entries/server/lookup'

// Written out, not given as a parameter: else Postgres could not tell that the partial index serves.
export const isTimer = sql`${timeEntries.status} <> 'completed'`

/** The timers that run on a task. */
export async function timersOfTask(db: Db, taskId: number): Promise<TimeEntry[]> {
  const rows = await readEntries(db)
    .where(and(eq(timeEntries.taskId, taskId), isActive))
    .orderBy(asc(timeEntries.id))
  return rows.map(toEntry)
}

/** The timers of a member on a board that run or rest, those on deleted tasks too; locked, so that none is purged meanwhile. */
export async function timersOfMember(db: Db, boardId: number, userId: number): Promise<TimeEntry[]> {
  const rows = await readEntries(db, eq(tasks.id, timeEntries.taskId))
    .where(and(eq(timeEntries.boardId, boardId), eq(timeEntries.userId, userId), isTimer))
    .orderBy(asc(timeEntries.id))
    .for('update', { of: timeEntries })
  return rows.map(toEntry)
}

/** Whose timers run or rest on a task, also on a deleted one. */
export async function timerOwners(db: Db, taskId: number): Promise<number[]> {
  const rows = await db
    .selectDistinct({ userId: timeEntries.userId })
    .from(timeEntries)
    .where(and(eq(timeEntries.taskId, taskId), isTimer))
  return rows.map(({ userId }) => userId)
}
