import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { activities, attachments, comments, timeEntries } from './tables'

/** `isContent`: users may have it deleted with their account. `fileBytes`: what a row stores besides itself. */
export type Contribution = { isContent?: true; fileBytes?: SQL } & (
  | { table: PgTable & { userId: PgColumn } & { boardId: PgColumn }; on: 'board' }
  | { table: PgTable & { userId: PgColumn } & { taskId: PgColumn }; on: 'task' }
)

/**
 * What users leave on boards, besides tasks. The rows are handed over to the user who accepts an imported name, or to a deleted
 * account's former member. They are purged with their board, and count towards their author's storage.
 */
export const CONTRIBUTIONS: Contribution[] = [
  { table: timeEntries, on: 'board' },
  { table: activities, on: 'board' },
  { table: comments, on: 'task', isContent: true },
  { table: attachments, on: 'task', isContent: true, fileBytes: sql`file_size + coalesce(thumbnail_size, 0)` },
]

/** For statements that name no other table with these columns. */
export const isOnBoard = ({ on }: Pick<Contribution, 'on'>, boardId: number | SQL): SQL =>
  on === 'board'
    ? sql`board_id = ${boardId}`
    : sql`exists (select from tasks where tasks.id = task_id and tasks.board_id = ${boardId})`
