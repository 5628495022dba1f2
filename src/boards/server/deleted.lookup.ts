import { type AnyColumn, and, eq, isNotNull, not, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/database'
import { boards } from '../../db/tables'
import { RESTORABLE_DAYS } from '../schema'

const isDeleted = isNotNull(boards.deletedAt)
export const wasDeletedRecently = (deletedAt: AnyColumn): SQL => sql`${deletedAt} > now() - ${RESTORABLE_DAYS} * interval '1 day'`

export const isRestorable = and(isDeleted, wasDeletedRecently(boards.deletedAt))

/** `deletedAt` of a board that an import fills: nobody finds it, and it is purged once no import holds it. */
export const LONG_AGO = new Date(0)
const isBeingFilled = sql`exists (select 1 from imports where imports.board_id = ${boards.id} and imports.state = 'running')`
export const isPurgeable = and(isDeleted, not(wasDeletedRecently(boards.deletedAt)), not(isBeingFilled))

const ofTasks = sql`time_entries join tasks on tasks.id = time_entries.task_id and tasks.deleted_at is null`

/** float8: drivers return bigint as text. */
const minutesOf = (userId: number) => sql<number>`(
  select coalesce(sum(duration_minutes), 0)::float8 from ${ofTasks}
  where time_entries.board_id = boards.id and time_entries.user_id = ${userId})`

export const deletedColumns = (userId: number) => ({
  id: boards.id,
  name: boards.name,
  // 0 once the creator's account is deleted.
  createdBy: sql<number>`coalesce(${boards.createdBy}, 0)`,
  deletedAt: sql<Date>`${boards.deletedAt}`.mapWith(boards.deletedAt),
  minutes: minutesOf(userId),
})
export type DeletedRow = { id: number; name: string; createdBy: number; deletedAt: Date; minutes: number }

export async function findDeletedBoard(db: Db, userId: number, boardId: number): Promise<DeletedRow | undefined> {
  const [row] = await db
    .select(deletedColumns(userId))
    .from(boards)
    .where(and(eq(boards.id, boardId), isRestorable))
  return row
}

/** Members may export their hours until the board is purged; names without an account cannot. */
export const hasHoursOfOthers = (userId: number) => sql`exists (
  select 1 from ${ofTasks} join users worker on worker.id = time_entries.user_id and worker.imported_on is null
  where time_entries.board_id = ${boards.id} and time_entries.user_id <> ${userId} and time_entries.duration_minutes > 0)`

export const othersWorkedOn = async (db: Db, userId: number, boardId: number): Promise<boolean> =>
  (await db.$count(boards, and(eq(boards.id, boardId), hasHoursOfOthers(userId)))) > 0
