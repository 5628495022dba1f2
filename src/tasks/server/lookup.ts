import { type AnyColumn, and, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm'
import {
  type BoardRow,
  boardColumns,
  notDeleted as boardNotDeleted,
  lockBoard,
  wasDeletedRecently,
} from '../../boards/server/lookup'
import type { Checklist } from '../../checklist'
import type { Db } from '../../db/database'
import { boardMembers, boards, tasks } from '../../db/tables'
import { checklistIn } from '../../markdown'
import type { UserSummary } from '../../users/schema'
import { summaryJson } from '../../users/server/lookup'
import { type EMPTY_TASK, eachField, RESTORABLE_SECONDS, type Task } from '../schema'

const { deletedAt, deletedBy, ...storedColumns } = getTableColumns(tasks)

export { storedColumns }

export const fieldColumns = eachField<typeof storedColumns>((field) => storedColumns[field])

/** Drizzle omits table names in these columns. */
export const taskColumns = {
  ...storedColumns,
  // Not a join: the embedded database has no statistics and would read all users for each task.
  assignees: sql<UserSummary[]>`(
    select coalesce(json_agg((select ${summaryJson} from users where users.id = task_assignees.user_id)
      order by task_assignees.id), '[]')
    from task_assignees where task_assignees.task_id = tasks.id)`,
  commentCount: sql<number>`(select count(*)::int from comments where comments.task_id = tasks.id)`,
  fileCount: sql<number>`(select count(*)::int from attachments where attachments.task_id = tasks.id)`,
  // float8: drivers return bigint as text.
  minutes: sql<number>`(
    select coalesce(sum(duration_minutes), 0)::float8 from time_entries
    where time_entries.task_id = tasks.id and time_entries.status <> 'ACTIVE')`,
}

export const notDeleted = isNull(tasks.deletedAt)

export type TaskRow = Omit<typeof tasks.$inferSelect, 'deletedAt' | 'deletedBy'> & typeof EMPTY_TASK

export const toTask = ({ checklistDone, checklistAll, ...row }: TaskRow): Task => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt?.toISOString() ?? null,
  doneAt: row.doneAt?.toISOString() ?? null,
  checklist: storedChecklist({ checklistDone, checklistAll, description: row.description }),
})

const selectBoard = (db: Db, taskId: number) =>
  db.select({ boardId: tasks.boardId, deletedAt: tasks.deletedAt }).from(tasks).where(eq(tasks.id, taskId))

export async function boardOfTask(db: Db, taskId: number): Promise<number | undefined> {
  const [row] = await selectBoard(db, taskId)
  return row?.deletedAt === null ? row.boardId : undefined
}

export async function boardOfAnyTask(db: Db, taskId: number): Promise<number | undefined> {
  const [row] = await selectBoard(db, taskId)
  return row?.boardId
}

export async function findTask(db: Db, taskId: number): Promise<Task | undefined> {
  const [row] = await db
    .select(taskColumns)
    .from(tasks)
    .where(and(eq(tasks.id, taskId), notDeleted))
  return row && toTask(row)
}

export async function findTaskAsMember(
  db: Db,
  userId: number,
  taskId: number,
): Promise<{ board: BoardRow; task: Task } | undefined> {
  const [row] = await db
    .select({ board: boardColumns, task: taskColumns })
    .from(tasks)
    .innerJoin(boards, and(eq(boards.id, tasks.boardId), boardNotDeleted))
    .innerJoin(boardMembers, and(eq(boardMembers.boardId, boards.id), eq(boardMembers.userId, userId)))
    .where(and(eq(tasks.id, taskId), notDeleted))
  return row && { board: row.board, task: toTask(row.task) }
}

export async function lockBoardOfTask(db: Db, taskId: number): Promise<number | undefined> {
  const boardId = await boardOfAnyTask(db, taskId)
  if (boardId !== undefined) await lockBoard(db, boardId)
  return boardId
}

/** For an undo clicked at the last moment. */
const GRACE_SECONDS = 1
export const deletedJustNow = (deletedAt: AnyColumn): SQL =>
  sql`${deletedAt} > now() - ${RESTORABLE_SECONDS + GRACE_SECONDS} * interval '1 second'`

export const isRestorable = wasDeletedRecently(tasks.deletedAt)

export type DeletedTaskRow = Pick<
  typeof tasks.$inferSelect,
  'id' | 'boardId' | 'status' | 'position' | 'description' | 'deletedBy'
>

/** Locks a task that can still be restored, so that it is not purged meanwhile. */
export async function lockDeletedTask(db: Db, boardId: number, taskId: number): Promise<DeletedTaskRow | undefined> {
  const { id, status, position, description, deletedBy } = tasks
  const [row] = await db
    .select({ id, boardId: tasks.boardId, status, position, description, deletedBy })
    .from(tasks)
    .where(and(eq(id, taskId), eq(tasks.boardId, boardId), isRestorable))
    .for('update')
  return row
}

/** Null in old rows, from before counting. */
type Stored = { checklistDone: number | null; checklistAll: number | null; description: string | null }

/** Stored beside the description, so that nobody reads it to count. */
export function checklistCounts(description: string | null) {
  const { done, all } = checklistIn(description) ?? { done: 0, all: 0 }
  return { checklistDone: done, checklistAll: all }
}

export function storedChecklist({ checklistDone: done, checklistAll: all, description }: Stored): Checklist | undefined {
  if (done === null || all === null) return checklistIn(description)
  return all > 0 ? { done, all } : undefined
}
