import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/database'
import { boardMembers, taskAssignees, users } from '../../../db/schema'
import { summaryOf } from '../../../users/schema'
import type { TaskGrant } from '../grants'

/** `added` is null if they were assigned already; undefined if they are no member of the board. */
export async function addAssignee(db: Db, grant: TaskGrant<'change'>, userId: number) {
  const { board, task } = grant
  const [member] = await db
    .select(summaryOf(users))
    .from(boardMembers)
    .innerJoin(users, eq(users.id, boardMembers.userId))
    .where(and(eq(boardMembers.boardId, board.id), eq(boardMembers.userId, userId)))
  if (!member) return undefined
  const rows = await db
    .insert(taskAssignees)
    .values({ taskId: task.id, boardId: board.id, userId })
    .onConflictDoNothing()
    .returning()
  if (rows.length === 0) return { task, added: null }
  return { task: { ...task, assignees: [...task.assignees, member] }, added: member }
}

export async function removeAssignee(db: Db, { task }: TaskGrant<'change'>, userId: number): Promise<boolean> {
  const rows = await db
    .delete(taskAssignees)
    .where(and(eq(taskAssignees.taskId, task.id), eq(taskAssignees.userId, userId)))
    .returning()
  return rows.length > 0
}
