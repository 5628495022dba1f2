import { and, asc, count, desc, eq, inArray, isNotNull, isNull, lt, lte, ne, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { isMemberOf } from '../../boards/server/lookup'
import type { CommentGrant } from '../../comments/server/grants'
import type { Db } from '../../db/database'
import { boardMembers, boards, notifications, tasks, users } from '../../db/tables'
import type { Granted, SignedIn } from '../../server/signedIn'
import type { TaskGrant } from '../../tasks/server/grants'
import type { EntryGrant } from '../../time/server/grants'
import type { UserSummary } from '../../users/schema'
import { hasAccount, summaryJson } from '../../users/server/lookup'
import { INBOX_PAGE_SIZE, type Inbox, type Notification, type NotificationKind, type ReadInput, SWITCH_OF } from '../schema'

const columns = {
  id: notifications.id,
  userId: notifications.userId,
  kind: notifications.kind,
  actor: sql<UserSummary | null>`case when ${users.id} is not null then ${summaryJson} end`,
  board: sql<Notification['board']>`json_build_object('id', ${boards.id}, 'name', ${boards.name})`,
  task: sql<
    Notification['task']
  >`case when ${tasks.id} is not null then json_build_object('id', ${tasks.id}, 'title', ${tasks.title}) end`,
  commentId: notifications.commentId,
  detail: notifications.detail,
  createdAt: notifications.createdAt,
  readAt: notifications.readAt,
}

const isStillInvited = sql`(${notifications.kind} = 'invited' and exists (
  select 1 from board_invitations invitation join boards board on board.id = invitation.board_id and board.deleted_at is null
  where invitation.board_id = ${notifications.boardId} and invitation.user_id = ${notifications.userId}
    and invitation.status = 'pending' and invitation.expires_at > now()))`

/** Excludes deleted tasks and boards, and boards the user is neither on nor invited to. */
const isVisible = and(
  or(isNull(notifications.taskId), isNull(tasks.deletedAt)),
  or(isMemberOf(notifications.boardId, notifications.userId), isStillInvited),
)

const selectVisible = (db: Db, where: SQL | undefined) =>
  db
    .select(columns)
    .from(notifications)
    .leftJoin(users, eq(users.id, notifications.actorId))
    .innerJoin(boards, eq(boards.id, notifications.boardId))
    .leftJoin(tasks, eq(tasks.id, notifications.taskId))
    .where(and(where, isVisible))
    .orderBy(desc(notifications.id))
    .$dynamic()

type Row = Awaited<ReturnType<typeof selectVisible>>[number]

const toNotification = ({ userId, createdAt, readAt, ...row }: Row): Notification => ({
  ...row,
  createdAt: createdAt.toISOString(),
  readAt: readAt?.toISOString() ?? null,
})

export async function readInbox(db: Db, viewer: SignedIn, cursor: number | undefined): Promise<Inbox> {
  const own = eq(notifications.userId, viewer.id)
  const rows = await selectVisible(db, cursor === undefined ? own : and(own, lt(notifications.id, cursor))).limit(
    INBOX_PAGE_SIZE + 1,
  )
  return {
    notifications: rows.slice(0, INBOX_PAGE_SIZE).map(toNotification),
    unread: await countUnread(db, viewer.id),
    more: rows.length > INBOX_PAGE_SIZE,
  }
}

async function countUnread(db: Db, userId: number): Promise<number> {
  const [row] = await db
    .select({ unread: count() })
    .from(notifications)
    .leftJoin(tasks, eq(tasks.id, notifications.taskId))
    .where(and(eq(notifications.userId, userId), isNull(notifications.readAt), isVisible))
  return row?.unread ?? 0
}

export async function markRead(db: Db, viewer: SignedIn, { ids, taskId, upTo }: ReadInput) {
  const named = and(
    ids && inArray(notifications.id, ids),
    taskId === undefined ? undefined : eq(notifications.taskId, taskId),
    upTo === undefined ? undefined : lte(notifications.id, upTo),
  )
  const rows = await db
    .update(notifications)
    .set({ readAt: sql`now()` })
    .where(and(eq(notifications.userId, viewer.id), isNull(notifications.readAt), named))
    .returning({ id: notifications.id })
  return { read: rows.map(({ id }) => id), unread: await countUnread(db, viewer.id) }
}

/** Without a viewer if the actor is not named. */
export type NotifyGrant = Granted<{ board: { id: number }; viewer?: SignedIn }, 'announce'> & { task?: { id: number } }
/** The comment or time entry with which the notification is deleted. */
export type Detail = { detail: string; commentId?: number; timeEntryId?: number }

/** Skips non-members, unless they are invited; returns the added notifications. */
export async function addNotifications(db: Db, grant: NotifyGrant, kind: NotificationKind, to: number[], detail: Detail | null) {
  const { viewer, board } = grant
  const wantsMail = sql<boolean>`${users.emailNotifications} and ${users[SWITCH_OF[kind]]}`
  const receivers = await db
    .select({ userId: users.id, waits: wantsMail })
    .from(users)
    .leftJoin(boardMembers, and(eq(boardMembers.userId, users.id), eq(boardMembers.boardId, board.id)))
    .where(and(inArray(users.id, to), hasAccount, kind === 'invited' ? undefined : isNotNull(boardMembers.id)))
  if (receivers.length === 0) return []
  if (detail?.commentId) await deleteOfComment(db, detail.commentId, to)
  const own = { actorId: viewer?.id ?? null, boardId: board.id, taskId: grant.task?.id ?? null, kind, ...detail }
  const rows = await db
    .insert(notifications)
    .values(receivers.map((receiver) => ({ ...receiver, ...own })))
    .returning({ id: notifications.id })
  const ids = rows.map(({ id }) => id)
  return (await selectVisible(db, inArray(notifications.id, ids))).map((row) => ({ ...toNotification(row), userId: row.userId }))
}

/** A comment has one notification per person: the newest. */
const deleteOfComment = (db: Db, commentId: number, userIds: number[]) =>
  db.delete(notifications).where(and(eq(notifications.commentId, commentId), inArray(notifications.userId, userIds)))

export async function wasInvitedLately(db: Db, { board }: NotifyGrant, userId: number, days: number): Promise<boolean> {
  const isLate = sql`${notifications.createdAt} > now() - ${days} * interval '1 day'`
  const told = and(eq(notifications.userId, userId), eq(notifications.boardId, board.id), eq(notifications.kind, 'invited'))
  return (await db.$count(notifications, and(told, isLate))) > 0
}

/** An undone assignment is not mailed. */
export const withdrawMail = (db: Db, { task }: TaskGrant<'change'>, kind: NotificationKind, userId: number) =>
  db
    .update(notifications)
    .set({ waits: false })
    .where(
      and(eq(notifications.taskId, task.id), eq(notifications.userId, userId), eq(notifications.kind, kind), notifications.waits),
    )

/** A mention that an edit took back is not mailed. Returns whose mails these were. */
export async function withdrawMentions(db: Db, { comment }: CommentGrant, mentioned: number[]): Promise<number[]> {
  const isOfComment = and(eq(notifications.commentId, comment.id), eq(notifications.kind, 'mentioned'))
  const withdrawn = await db
    .update(notifications)
    .set({ waits: false })
    .where(and(isOfComment, notifications.waits, isNull(notifications.readAt), notInArray(notifications.userId, mentioned)))
    .returning({ userId: notifications.userId })
  return withdrawn.map(({ userId }) => userId)
}

export type Digest = { email: string; unsubscribeToken: string; notifications: Notification[] }

/** The oldest one waits this long, so that it may be read or undone first; the others go along. */
const WAITS_SECONDS = 180

/** Locks the users, so that one process claims all of a user. Skips what was read, undone or switched off, and unproven addresses. */
export async function claimDigests(db: Db, gatherSeconds: number, of?: number[]): Promise<Digest[]> {
  // Rounded to milliseconds, one of this transaction may be later than now().
  const isOld =
    gatherSeconds === 0 ? sql`true` : sql`${notifications.createdAt} <= now() - ${WAITS_SECONDS} * interval '1 second'`
  const waiting = sql`exists (
    select 1 from ${notifications} where ${notifications.userId} = ${users.id} and ${notifications.waits} and ${isOld})`
  const isDue = sql`(${users.notifiedAt} is null or ${users.notifiedAt} <= now() - ${gatherSeconds} * interval '1 second')`
  const readers = await db
    .select()
    .from(users)
    .where(and(waiting, isDue, of && inArray(users.id, of)))
    .orderBy(asc(users.id))
    .limit(DIGESTS_AT_ONCE)
    .for('no key update', { skipLocked: true })
  const digests: Digest[] = []
  for (const reader of readers) {
    const notifications = await claimWaiting(db, reader)
    if (notifications.length === 0) continue
    await db.update(users).set({ notifiedAt: sql`now()` }).where(eq(users.id, reader.id))
    const { email, unsubscribeToken } = reader
    digests.push({ email, unsubscribeToken, notifications })
  }
  return digests
}

async function claimWaiting(db: Db, reader: typeof users.$inferSelect): Promise<Notification[]> {
  const claimed = await db
    .update(notifications)
    .set({ waits: false })
    .where(and(eq(notifications.userId, reader.id), notifications.waits))
    .returning({ id: notifications.id })
  const ids = claimed.map(({ id }) => id)
  const rows = await selectVisible(db, and(inArray(notifications.id, ids), isNull(notifications.readAt), isStillSo))
  const wanted = rows.filter(
    ({ kind }) => reader.emailVerifiedAt && !reader.disabledAt && reader.emailNotifications && reader[SWITCH_OF[kind]],
  )
  return wanted.map(toNotification).toReversed()
}

/** The new member may have left since. */
const isStillSo = or(ne(notifications.kind, 'joined'), isMemberOf(notifications.boardId, notifications.actorId))

const DIGESTS_AT_ONCE = 20

export const updateCommentText = (db: Db, { comment }: CommentGrant, detail: string) =>
  db.update(notifications).set({ detail }).where(eq(notifications.commentId, comment.id))

export const updateEntryNote = (db: Db, { entry }: EntryGrant, note: string | null) =>
  db
    .update(notifications)
    .set({ detail: sql`split_part(${notifications.detail}, E'\\n', 1) || ${note === null ? '' : `\n${note}`}::text` })
    .where(eq(notifications.timeEntryId, entry.id))

const RETENTION_DAYS = 90

export const purgeOldNotifications = (db: Db) =>
  db.delete(notifications).where(lt(notifications.createdAt, sql`now() - ${RETENTION_DAYS} * interval '1 day'`))
