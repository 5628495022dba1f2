import { and, asc, count, desc, eq, inArray, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { boardMembers, boards, notifications, tasks, users } from '../../db/schema'
import type { AnnounceGrant } from '../../server/granted'
import type { SignedIn } from '../../server/session'
import type { UserSummary } from '../../users/schema'
import { summaryJson } from '../../users/server/lookup'
import { INBOX_PART, type Inbox, type Kind, type Notification, SWITCH_OF } from '../schema'

const columns = {
  id: notifications.id,
  userId: notifications.userId,
  kind: notifications.kind,
  actor: sql<UserSummary>`${summaryJson}`,
  board: sql<Notification['board']>`json_build_object('id', ${boards.id}, 'name', ${boards.name})`,
  task: sql<
    Notification['task']
  >`case when ${tasks.id} is not null then json_build_object('id', ${tasks.id}, 'title', ${tasks.title}) end`,
  detail: notifications.detail,
  createdAt: notifications.createdAt,
  readAt: notifications.readAt,
}

/** What is in the trash is there for nobody, nor is a board that one was removed from. */
const isSeen = and(
  or(isNull(notifications.taskId), isNull(tasks.deletedAt)),
  sql`exists (select 1 from board_members where board_id = ${notifications.boardId} and user_id = ${notifications.userId})`,
)

const shown = (db: Db, where: SQL | undefined) =>
  db
    .select(columns)
    .from(notifications)
    .innerJoin(users, eq(users.id, notifications.actorId))
    .innerJoin(boards, eq(boards.id, notifications.boardId))
    .leftJoin(tasks, eq(tasks.id, notifications.taskId))
    .where(and(where, isSeen))
    .orderBy(desc(notifications.id))
    .$dynamic()

type Row = Awaited<ReturnType<typeof shown>>[number]

const toNotification = ({ userId: _, createdAt, readAt, ...row }: Row): Notification => ({
  ...row,
  createdAt: createdAt.toISOString(),
  readAt: readAt?.toISOString() ?? null,
})

/** Somebody's inbox, the newest first, older ones than the one that the cursor names. */
export async function readInbox(db: Db, viewer: SignedIn, cursor: number | undefined): Promise<Inbox> {
  const own = eq(notifications.userId, viewer.id)
  const rows = await shown(db, cursor === undefined ? own : and(own, lt(notifications.id, cursor))).limit(INBOX_PART + 1)
  return {
    notifications: rows.slice(0, INBOX_PART).map(toNotification),
    unread: await countUnread(db, viewer.id),
    more: rows.length > INBOX_PART,
  }
}

async function countUnread(db: Db, userId: number): Promise<number> {
  const [row] = await db
    .select({ unread: count() })
    .from(notifications)
    .leftJoin(tasks, eq(tasks.id, notifications.taskId))
    .where(and(eq(notifications.userId, userId), isNull(notifications.readAt), isSeen))
  return row?.unread ?? 0
}

/** Marks some as read, or all; answers how many are left. */
export async function markRead(db: Db, viewer: SignedIn, ids: number[] | undefined): Promise<number> {
  const named = ids && inArray(notifications.id, ids)
  await db
    .update(notifications)
    .set({ readAt: sql`now()` })
    .where(and(eq(notifications.userId, viewer.id), isNull(notifications.readAt), named))
  return countUnread(db, viewer.id)
}

/** The grant to what somebody did, on a board or on a task of it. */
export type Cause = AnnounceGrant & { task?: { id: number } }
/** What a notification says, and what it is deleted with. */
export type Detail = { detail: string; commentId?: number; timeEntryId?: number }

/** Puts what happened into the inboxes of those who are members of the board, but for whoever did it. */
export async function addNotifications(db: Db, cause: Cause, kind: Kind, to: number[], detail: Detail | null) {
  const { viewer, board } = cause
  const wantsMail = sql<boolean>`${users.emailNotifications} and ${users[SWITCH_OF[kind]]}`
  const members = await db
    .select({ userId: boardMembers.userId, waits: wantsMail })
    .from(boardMembers)
    .innerJoin(users, eq(users.id, boardMembers.userId))
    .where(and(eq(boardMembers.boardId, board.id), inArray(boardMembers.userId, to), ne(boardMembers.userId, viewer.id)))
  if (members.length === 0) return []
  const own = { actorId: viewer.id, boardId: board.id, taskId: cause.task?.id ?? null, kind, ...detail }
  const rows = await db
    .insert(notifications)
    .values(members.map((member) => ({ ...member, ...own })))
    .returning({ id: notifications.id })
  const ids = rows.map(({ id }) => id)
  return (await shown(db, inArray(notifications.id, ids))).map((row) => ({ ...toNotification(row), userId: row.userId }))
}

/** Somebody to be mailed, and of what. */
export type Reader = { email: string; unsubscribeToken: string; notifications: Notification[] }

/**
 * Takes what waits to be mailed to those whose last such mail is long enough ago, or to whom there was none: of each
 * person one process takes all. What they have read meanwhile, or want no mails of any more, is left out.
 */
export async function takeWaiting(db: Db, gatherSeconds: number, of?: number[]): Promise<Reader[]> {
  const waiting = sql`exists (select 1 from ${notifications} where ${notifications.userId} = ${users.id} and ${notifications.waits})`
  const isTime = sql`(${users.notifiedAt} is null or ${users.notifiedAt} <= now() - ${gatherSeconds} * interval '1 second')`
  const readers = await db
    .select()
    .from(users)
    .where(and(waiting, isTime, of && inArray(users.id, of)))
    .orderBy(asc(users.id))
    .limit(READERS_AT_ONCE)
    .for('no key update', { skipLocked: true })
  const mails: Reader[] = []
  for (const reader of readers) {
    const taken = await db
      .update(notifications)
      .set({ waits: false })
      .where(and(eq(notifications.userId, reader.id), notifications.waits))
      .returning({ id: notifications.id })
    const ids = taken.map(({ id }) => id)
    const rows = await shown(db, and(inArray(notifications.id, ids), isNull(notifications.readAt)))
    const wanted = rows.filter(({ kind }) => reader.emailNotifications && reader[SWITCH_OF[kind]])
    if (wanted.length === 0) continue
    await db.update(users).set({ notifiedAt: sql`now()` }).where(eq(users.id, reader.id))
    const { email, unsubscribeToken } = reader
    mails.push({ email, unsubscribeToken, notifications: wanted.map(toNotification).toReversed() })
  }
  return mails
}

const READERS_AT_ONCE = 20

/** A comment says something else now. */
export const correctNotifications = (db: Db, commentId: number, detail: string) =>
  db.update(notifications).set({ detail }).where(eq(notifications.commentId, commentId))

const KEPT_DAYS = 90

/** Lets go of what is long past. */
export const cleanNotifications = (db: Db) =>
  db.delete(notifications).where(lt(notifications.createdAt, sql`now() - ${KEPT_DAYS} * interval '1 day'`))
