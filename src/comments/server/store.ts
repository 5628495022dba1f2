import { and, asc, eq, getTableColumns, gt, lt, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { boardMembers, commentMentions, comments, users } from '../../db/schema'
import type { Part } from '../../schema'
import type { AnnounceGrant } from '../../server/granted'
import type { TaskGrant } from '../../tasks/server/grants'
import type { UserSummary } from '../../users/schema'
import { summaryJson } from '../../users/server/lookup'
import { type Comment, LISTED_BYTES, mentionsIn, REPEATED_WITHIN } from '../schema'
import type { CommentGrant } from './grants'
import { findComment, toComment } from './lookup'

/** Oldest first, as many as are listed at once; `more` where the list goes on after the last one. */
export async function listComments(db: Db, { task }: TaskGrant<'read'>, { limit, cursor }: Part) {
  const after =
    cursor && sql`(${comments.createdAt}, ${comments.id}) > (${cursor.moment.toISOString()}::timestamptz, ${cursor.id}::int)`
  const order = sql`order by ${comments.createdAt}, ${comments.id}`
  // Postgres knows the bytes of a text without reading it.
  const before = sql`sum(octet_length(${comments.content})) over (${order} rows between unbounded preceding and 1 preceding)`
  const part = db
    .select({
      ...getTableColumns(comments),
      before: sql<number>`coalesce(${before}, 0)`.as('before'),
      more: sql<boolean>`lead(${comments.id}) over (${order}) is not null`.as('more'),
    })
    .from(comments)
    .where(and(eq(comments.taskId, task.id), after))
    .orderBy(asc(comments.createdAt), asc(comments.id))
    .limit(limit)
    .as('part')
  const { before: _, more, ...columns } = part._.selectedFields
  const rows = await db
    .select({ ...columns, user: sql<UserSummary>`${summaryJson}`, more })
    .from(part)
    .innerJoin(users, eq(users.id, part.userId))
    .where(lt(part.before, LISTED_BYTES))
    .orderBy(asc(part.createdAt), asc(part.id))
  return { comments: rows.map(({ more: _, ...row }) => toComment(row)), more: rows.at(-1)?.more ?? false }
}

/** Writes a comment; null where its author wrote the same a moment ago. */
export async function addComment(db: Db, { viewer, task }: TaskGrant<'change'>, content: string): Promise<Comment | null> {
  // The board is locked, so the clock, unlike the transaction's own time, puts comments in the order of their commits.
  const now = sql<Date>`clock_timestamp()`
  const moment = sql`${now} - ${REPEATED_WITHIN} * interval '1 millisecond'`
  const same = and(eq(comments.taskId, task.id), eq(comments.userId, viewer.id), eq(comments.content, content))
  if ((await db.$count(comments, and(same, gt(comments.createdAt, moment)))) > 0) return null
  const [row] = await db
    .insert(comments)
    .values({ taskId: task.id, userId: viewer.id, content, createdAt: now })
    .returning({ id: comments.id })
  const comment = row && (await findComment(db, row.id))
  if (!comment) throw new Error('the new comment was not returned')
  return comment
}

/** Changes what a comment says; null where it says that already. */
export async function editComment(db: Db, { comment }: CommentGrant, content: string): Promise<Comment | null> {
  if (content === comment.content) return null
  await db.update(comments).set({ content }).where(eq(comments.id, comment.id))
  return { ...comment, content }
}

export async function deleteComment(db: Db, { comment }: CommentGrant): Promise<void> {
  await db.delete(comments).where(eq(comments.id, comment.id))
}

/** Notes which members of the board a comment mentions, and answers those who were not mentioned in it before. */
export async function noteMentions(db: Db, { board }: AnnounceGrant, comment: Comment): Promise<number[]> {
  if (!comment.content.includes('@')) return []
  const mentioned = (await membersMentioned(db, board.id, comment.content)).filter((id) => id !== comment.userId)
  if (mentioned.length === 0) return []
  const noted = await db
    .insert(commentMentions)
    .values(mentioned.map((userId) => ({ commentId: comment.id, userId })))
    .onConflictDoNothing()
    .returning({ userId: commentMentions.userId })
  return noted.map(({ userId }) => userId)
}

async function membersMentioned(db: Db, boardId: number, content: string): Promise<number[]> {
  const members = await db
    .select({ id: users.id, username: users.username })
    .from(boardMembers)
    .innerJoin(users, eq(users.id, boardMembers.userId))
    .where(eq(boardMembers.boardId, boardId))
  const known = new Set(members.map(({ username }) => username))
  const named = new Set(mentionsIn(content, (name) => known.has(name)).map(({ username }) => username))
  return members.filter(({ username }) => named.has(username)).map(({ id }) => id)
}
