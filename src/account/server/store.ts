import { and, asc, count, desc, eq, getTableColumns, gt, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import {
  activities,
  attachments,
  billing,
  boardInvitations,
  boardMembers,
  boards,
  comments,
  formerUsernames,
  mails,
  notifications,
  oauthAccounts,
  rates,
  sessions,
  tasks,
  timeEntries,
  users,
} from '../../db/schema'
import type { DepartureGrant } from '../../server/grants'
import { BEGINNING } from '../../time/rates/server/store'

export async function passwordOf(db: Db, userId: number): Promise<string | null> {
  const [row] = await db.select({ password: users.password }).from(users).where(eq(users.id, userId))
  return row?.password ?? null
}

export const setPassword = (db: Db, userId: number, password: string) =>
  db.update(users).set({ password }).where(eq(users.id, userId))

/** The sessions of a user that have not run out, the one used last first. */
export const listSessions = (db: Db, userId: number) =>
  db
    .select({
      id: sessions.id,
      userAgent: sessions.userAgent,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(desc(sessions.lastSeenAt), asc(sessions.id))

/** Ends one session of a user; false where it is nobody's, or another's. */
export async function endOwnSession(db: Db, userId: number, key: string): Promise<boolean> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.id, key)))
    .returning({ id: sessions.id })
  return ended.length > 0
}

/** Ends all sessions of a user but one; answers which. */
export async function endOtherSessions(db: Db, userId: number, key: string): Promise<string[]> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), ne(sessions.id, key)))
    .returning({ id: sessions.id })
  return ended.map(({ id }) => id)
}

/** A session that came from a reset link sets a password without the old one once; false where it may not, or did. */
export async function takeReset(db: Db, key: string): Promise<boolean> {
  const taken = await db
    .update(sessions)
    .set({ mayResetUntil: null })
    .where(and(eq(sessions.id, key), gt(sessions.mayResetUntil, sql`now()`)))
    .returning({ id: sessions.id })
  return taken.length > 0
}

/** The boards that someone created, with how many others are on each. */
export const createdBoards = (db: Db, userId: number) =>
  db
    .select({ id: boards.id, name: boards.name, others: sql<number>`${count(boardMembers.id)}::int - 1` })
    .from(boards)
    .innerJoin(boardMembers, eq(boardMembers.boardId, boards.id))
    .where(eq(boards.createdBy, userId))
    .groupBy(boards.id)
    .orderBy(asc(boards.id))

/**
 * Holds an account, so that nothing comes to it until the transaction ends; false where it is gone. Held after its
 * boards.
 */
export async function holdAccount(db: Db, userId: number): Promise<boolean> {
  const held = await db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
  return held.length > 0
}

/** Every board that someone is on, or where they left something, in the order in which boards are to be locked. */
export function boardsOf(db: Db, userId: number) {
  const left = [comments, attachments, timeEntries].map(
    (table) =>
      sql`union select tasks.board_id from tasks join ${table} on tasks.id = ${table}.task_id where ${table}.user_id = ${userId}`,
  )
  const touched = sql`(select board_id from board_members where user_id = ${userId}
    union select board_id from tasks where created_by = ${userId}
    union select board_id from activities where user_id = ${userId} ${sql.join(left, sql` `)})`
  return db
    .select({ id: boards.id, createdBy: boards.createdBy, isMember: sql<boolean>`${boardMembers.id} is not null` })
    .from(boards)
    .leftJoin(boardMembers, and(eq(boardMembers.boardId, boards.id), eq(boardMembers.userId, userId)))
    .where(sql`${boards.id} in ${touched}`)
    .orderBy(asc(boards.id))
}

/** What goes with an account is more than messages tell: a page that sees this step reads its board again. */
export const stepOver = (db: Db, { boards: touched }: DepartureGrant) =>
  db
    .update(boards)
    .set({ version: sql`${boards.version} + 1` })
    .where(
      inArray(
        boards.id,
        touched.map(({ id }) => id),
      ),
    )

/** Deletes an account with all that belongs to it: see the references in db/schema.ts. */
export async function deleteAccount(db: Db, { viewer: { id, email } }: DepartureGrant): Promise<void> {
  await db.delete(mails).where(eq(mails.recipient, email))
  await db.delete(users).where(eq(users.id, id))
}

const { password: _, stripeCustomerId: __, stripeSubscriptionId: ___, unsubscribeToken: ____, ...ofUser } = getTableColumns(users)
const { userId: _____, actorId: ______, waits: _______, ...ofNotification } = getTableColumns(notifications)
const isAssigned = (userId: number) =>
  sql`exists (select 1 from task_assignees where task_id = ${tasks.id} and user_id = ${userId})`

/** Everything of one account that is its owner's; of others, only what stands on their boards under their own name. */
export async function readData(db: Db, userId: number) {
  const [user] = await db.select(ofUser).from(users).where(eq(users.id, userId))
  const { id: _, userId: __, mayResetUntil: ___, ...ofSession } = getTableColumns(sessions)
  const { filename: ____, ...ofAttachment } = getTableColumns(attachments)
  // When one was asked about a timer is no more than how the server keeps from asking twice.
  const { askedAt: _____, ...ofEntry } = getTableColumns(timeEntries)
  return {
    user,
    formerUsernames: await db
      .select({ username: formerUsernames.username, until: formerUsernames.until })
      .from(formerUsernames)
      .where(eq(formerUsernames.userId, userId)),
    subscriptions: await db
      .select({
        status: billing.status,
        cancelAtPeriodEnd: billing.cancelAtPeriodEnd,
        currentPeriodEnd: billing.currentPeriodEnd,
      })
      .from(billing)
      .where(eq(billing.userId, userId)),
    providers: await db
      .select({ provider: oauthAccounts.provider, createdAt: oauthAccounts.createdAt })
      .from(oauthAccounts)
      .where(eq(oauthAccounts.userId, userId)),
    sessions: await db.select(ofSession).from(sessions).where(eq(sessions.userId, userId)),
    boards: await db
      .select({
        id: boards.id,
        name: boards.name,
        description: boards.description,
        createdByMe: sql<boolean>`${boards.createdBy} = ${userId}`,
        createdAt: boards.createdAt,
        memberSince: boardMembers.addedAt,
      })
      .from(boards)
      .innerJoin(boardMembers, eq(boardMembers.boardId, boards.id))
      .where(eq(boardMembers.userId, userId))
      .orderBy(asc(boards.id)),
    tasks: await db
      .select({
        id: tasks.id,
        boardId: tasks.boardId,
        title: tasks.title,
        description: tasks.description,
        status: tasks.status,
        dueDate: tasks.dueDate,
        tags: tasks.tags,
        createdByMe: sql<boolean>`${tasks.createdBy} is not distinct from ${userId}`,
        assignedToMe: sql<boolean>`${isAssigned(userId)}`,
        createdAt: tasks.createdAt,
      })
      .from(tasks)
      // What one created on a board that one has left is no longer one's to see.
      .innerJoin(boardMembers, and(eq(boardMembers.boardId, tasks.boardId), eq(boardMembers.userId, userId)))
      .where(and(isNull(tasks.deletedAt), or(eq(tasks.createdBy, userId), isAssigned(userId))))
      .orderBy(asc(tasks.id)),
    comments: await db.select().from(comments).where(eq(comments.userId, userId)).orderBy(asc(comments.id)),
    attachments: await db
      .select(ofAttachment)
      .from(attachments)
      .where(eq(attachments.userId, userId))
      .orderBy(asc(attachments.id)),
    invitationsSent: await db
      .select({
        boardId: boardInvitations.boardId,
        email: boardInvitations.email,
        status: boardInvitations.status,
        expiresAt: boardInvitations.expiresAt,
        createdAt: boardInvitations.createdAt,
        acceptedAt: boardInvitations.acceptedAt,
      })
      .from(boardInvitations)
      .where(eq(boardInvitations.invitedBy, userId))
      .orderBy(asc(boardInvitations.id)),
    timeEntries: await db.select(ofEntry).from(timeEntries).where(eq(timeEntries.userId, userId)).orderBy(asc(timeEntries.id)),
    // What others cost on one's boards is theirs.
    rates: await db
      .select({ boardId: rates.boardId, from: sql`nullif(${rates.from}, ${BEGINNING})`, cents: rates.cents })
      .from(rates)
      .where(eq(rates.userId, userId))
      .orderBy(asc(rates.boardId), asc(rates.from)),
    // It names tasks of others too: only of boards that one is still on.
    activities: await db
      .select(getTableColumns(activities))
      .from(activities)
      .innerJoin(boardMembers, and(eq(boardMembers.boardId, activities.boardId), eq(boardMembers.userId, userId)))
      .where(eq(activities.userId, userId))
      .orderBy(asc(activities.id)),
    notifications: await db
      .select(ofNotification)
      .from(notifications)
      .innerJoin(boardMembers, and(eq(boardMembers.boardId, notifications.boardId), eq(boardMembers.userId, userId)))
      .where(eq(notifications.userId, userId))
      .orderBy(asc(notifications.id)),
  }
}
