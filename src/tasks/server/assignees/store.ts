import { and, eq, inArray } from 'drizzle-orm'
import type { BoardGrant } from '../../../boards/server/grants'
import type { Db } from '../../../db/database'
import { boardMembers, taskAssignees, users } from '../../../db/schema'
import { badRequest } from '../../../server/errors'
import { summaryOf, type UserSummary } from '../../../users/schema'
import type { TaskGrant } from '../grants'

/** To a task that was just created. Throws BAD_REQUEST if one of them is no member of the board. */
export async function addFirstAssignees(db: Db, { board }: BoardGrant<'change'>, taskId: number, userIds: number[]) {
  if (userIds.length === 0) return []
  const members = await db
    .select(summaryOf(users))
    .from(boardMembers)
    .innerJoin(users, eq(users.id, boardMembers.userId))
    .where(and(eq(boardMembers.boardId, board.id), inArray(boardMembers.userId, userIds)))
  const found = new Map<number, UserSummary>(members.map((member) => [member.id, member]))
  const assignees = userIds.flatMap((userId) => found.get(userId) ?? [])
  if (assignees.length < userIds.length) throw notAMember()
  await db.insert(taskAssignees).values(assignees.map(({ id }) => ({ taskId, boardId: board.id, userId: id })))
  return assignees
}

const notAMember = () => badRequest('Only members of the board can be assigned.')

/** `added` is null if they were assigned already. Throws BAD_REQUEST if they are no member of the board. */
export async function addAssignee(db: Db, grant: TaskGrant<'change'>, userId: number) {
  const { board, task } = grant
  const [member] = await db
    .select(summaryOf(users))
    .from(boardMembers)
    .innerJoin(users, eq(users.id, boardMembers.userId))
    .where(and(eq(boardMembers.boardId, board.id), eq(boardMembers.userId, userId)))
  if (!member) throw notAMember()
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
