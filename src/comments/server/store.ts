import { and, asc, eq, getTableColumns, gt, inArray, lt, sql } from 'drizzle-orm'
import type { Db } from '../../db/database'
import { boardMembers, commentMentions, comments, notifications, users } from '../../db/tables'
import { spokenIn } from '../../markdown'
import type { ListPage } from '../../schema'
import { type Part, trashRows, untrashRows } from '../../tasks/server/deletedRows.store'
import type { RowGrant, TaskGrant } from '../../tasks/server/grants'
import { mentionsIn } from '../../users/mentions'
import type { UserSummary } from '../../users/schema'
import { summaryJson } from '../../users/server/lookup'
import { type Comment, DUPLICATE_WINDOW, LIST_MAX_BYTES } from '../schema'
import type { CommentGrant } from './grants'
import { findComment, toComment } from './lookup'

export async function listComments(db: Db, { task }: TaskGrant<'read'>, { limit, cursor }: ListPage) {
  const after =
    cursor && sql`(${comments.createdAt}, ${comments.id}) > (${cursor.moment.toISOString()}::timestamptz, ${cursor.id}::int)`
  const order = sql`order by ${comments.createdAt}, ${comments.id}`
  const precedingBytes = sql`sum(octet_length(${comments.content})) over (${order} rows between unbounded preceding and 1 preceding)`
  const part = db
    .select({
      ...getTableColumns(comments),
      before: sql<number>`coalesce(${precedingBytes}, 0)`.as('before'),
      more: sql<boolean>`lead(${comments.id}) over (${order}) is not null`.as('more'),
    })
    .from(comments)
    .where(and(eq(comments.taskId, task.id), after))
    .orderBy(asc(comments.createdAt), asc(comments.id))
    .limit(limit)
    .as('part')
  const { before, more, ...columns } = part._.selectedFields
  const rows = await db
    .select({ ...columns, user: sql<UserSummary>`${summaryJson}`, more })
    .from(part)
    .innerJoin(users, eq(users.id, part.userId))
    .where(lt(part.before, LIST_MAX_BYTES))
    .orderBy(asc(part.createdAt), asc(part.id))
  return { comments: rows.map(({ more, ...row }) => toComment(row)), more: rows.at(-1)?.more ?? false }
}

/** Null if the viewer wrote the same within DUPLICATE_WINDOW. */
export async function addComment(db: Db, { viewer, task }: TaskGrant<'change'>, content: string): Promise<Comment | null> {
  // clock_timestamp under the board lock: moments follow commits, so nothing appears before a cursor already given out.
  const now = sql<Date>`clock_timestamp()`
  const windowStart = sql`${now} - ${DUPLICATE_WINDOW} * interval '1 millisecond'`
  const same = and(eq(comments.taskId, task.id), eq(comments.userId, viewer.id), eq(comments.content, content))
  if ((await db.$count(comments, and(same, gt(comments.createdAt, windowStart)))) > 0) return null
  const [row] = await db
    .insert(comments)
    .values({ taskId: task.id, userId: viewer.id, content, createdAt: now })
    .returning({ id: comments.id })
  const comment = row && (await findComment(db, row.id))
  if (!comment) throw new Error('the new comment was not returned')
  return comment
}

export async function editComment(db: Db, { comment }: CommentGrant, content: string): Promise<Comment | null> {
  if (content === comment.content) return null
  const changed = { content, revision: comment.revision + 1 }
  await db.update(comments).set(changed).where(eq(comments.id, comment.id))
  return { ...comment, ...changed }
}

const partsOf = (commentId: number): Part[] => [
  { table: comments, where: eq(comments.id, commentId) },
  { table: commentMentions, where: eq(commentMentions.commentId, commentId) },
  { table: notifications, where: eq(notifications.commentId, commentId) },
]

export const deleteComment = (db: Db, { viewer, comment }: CommentGrant): Promise<void> =>
  trashRows(db, { kind: 'comment', rowId: comment.id, taskId: comment.taskId, userId: viewer.id }, partsOf(comment.id))

export async function restoreComment(db: Db, grant: RowGrant<'comment'>): Promise<Comment> {
  await untrashRows(db, grant, partsOf(grant.rowId))
  const comment = await findComment(db, grant.rowId)
  if (!comment) throw new Error(`comment ${grant.rowId} was not returned`)
  return comment
}

/** Stores whom a comment mentions; `added` are those it did not mention before. */
export async function addMentions(db: Db, { board }: TaskGrant<'change'> | CommentGrant, comment: Comment) {
  const members = comment.content.includes('@') ? await mentionedMembers(db, board.id, comment.content) : []
  const mentioned = members.filter((id) => id !== comment.userId)
  if (mentioned.length === 0) return { mentioned, added: [] }
  const added = await db
    .insert(commentMentions)
    .values(mentioned.map((userId) => ({ commentId: comment.id, userId })))
    .onConflictDoNothing()
    .returning({ userId: commentMentions.userId })
  return { mentioned, added: added.map(({ userId }) => userId) }
}

export const forgetMentions = (db: Db, { comment }: CommentGrant, of: number[]) =>
  db.delete(commentMentions).where(and(eq(commentMentions.commentId, comment.id), inArray(commentMentions.userId, of)))

async function mentionedMembers(db: Db, boardId: number, content: string): Promise<number[]> {
  const members = await db
    .select({ id: users.id, username: users.username })
    .from(boardMembers)
    .innerJoin(users, eq(users.id, boardMembers.userId))
    .where(eq(boardMembers.boardId, boardId))
  const known = new Set(members.map(({ username }) => username))
  const mentions = spokenIn(content).flatMap((text) => mentionsIn(text, (name) => known.has(name)))
  const named = new Set(mentions.map(({ username }) => username))
  return members.filter(({ username }) => named.has(username)).map(({ id }) => id)
}
