import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/database'
import { comments, tasks, users } from '../../db/tables'
import type { UserSummary } from '../../users/schema'
import { summaryJson } from '../../users/server/lookup'
import type { Comment } from '../schema'

const columns = {
  id: comments.id,
  taskId: comments.taskId,
  userId: comments.userId,
  content: comments.content,
  createdAt: comments.createdAt,
  revision: comments.revision,
  user: sql<UserSummary>`${summaryJson}`,
}

export const toComment = (row: Omit<Comment, 'createdAt'> & { createdAt: Date }): Comment => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
})

export async function boardOfComment(db: Db, commentId: number): Promise<number | undefined> {
  const [row] = await db
    .select({ boardId: tasks.boardId })
    .from(comments)
    .innerJoin(tasks, eq(tasks.id, comments.taskId))
    .where(eq(comments.id, commentId))
  return row?.boardId
}

export async function findComment(db: Db, commentId: number): Promise<Comment | undefined> {
  const [row] = await db
    .select(columns)
    .from(comments)
    .innerJoin(users, eq(users.id, comments.userId))
    .where(eq(comments.id, commentId))
  return row && toComment(row)
}
