import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/database'
import { boardMembers, taskAssignees } from '../../../db/schema'
import { summaryColumns } from '../../../users/server/lookup'
import type { TaskGrant } from '../grants'

/** `added` is null if they were assigned already; undefined if they are no member of the board. */
export async function addAssignee(db: Db, grant: TaskGrant<'change'>, userId: number) {
  const { board, task } = grant
  const member = await db.query.boardMembers.findFirst({
    where: and(eq(boardMembers.boardId, board.id), eq(boardMembers.userId, userId)),
    with: { user: { columns: summaryColumns } },
  })
  if (!member) return undefined
  const rows = await db
    .insert(taskAssignees)
    .values({ taskId: task.id, boardId: board.id, userId })
    .onConflictDoNothing()
    .returning()
  if (rows.length === 0) return { task, added: null }
  return { task: { ...task, assignees: [...task.assignees, member.user] }, added: member.user }
}

export async function removeAssignee(db: Db, { task }: TaskGrant<'change'>, userId: number): Promise<boolean> {
  const rows = await db
    .delete(taskAssignees)
    .where(and(eq(taskAssignees.taskId, task.id), eq(taskAssignees.userId, userId)))
    .returning()
  return rows.length > 0
}
