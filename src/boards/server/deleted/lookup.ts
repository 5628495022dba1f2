import { and, eq, gt, isNotNull, not, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database'
import { boards } from '../../../db/schema'
import { RESTORABLE_DAYS } from '../../schema'

const isDeleted = isNotNull(boards.deletedAt)
const oldest = sql`now() - ${RESTORABLE_DAYS} * interval '1 day'`

export const isRestorable = and(isDeleted, gt(boards.deletedAt, oldest))

/** Of a board that an import fills: deleted so long ago that nobody finds it, and purged once no import has it. */
export const LONG_AGO = new Date(0)
const isBeingFilled = sql`exists (select 1 from imports where imports.board_id = ${boards.id} and imports.state = 'running')`
export const isOver = and(isDeleted, sql`${boards.deletedAt} <= ${oldest}`, not(isBeingFilled))

/** float8, because drivers return bigint as text. */
const minutesOf = (userId: number) => sql<number>`(
  select coalesce(sum(duration_minutes), 0)::float8 from time_entries
  where time_entries.board_id = boards.id and time_entries.user_id = ${userId})`

export const deletedColumns = (userId: number) => ({
  id: boards.id,
  name: boards.name,
  // No id is 0: nobody's, once the creator's account is deleted.
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
