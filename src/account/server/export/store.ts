import { and, asc, eq, getTableColumns, isNull, or, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import {
  activities,
  attachments,
  billing,
  boardInvitations,
  boardMembers,
  boards,
  comments,
  formerUsernames,
  notifications,
  oauthAccounts,
  rates,
  sessions,
  tasks,
  timeEntries,
  users,
} from '../../../db/schema'
import type { SignedIn } from '../../../server/session'
import { FIRST_DAY } from '../../../time/rates/server/store'

const { password: _, stripeCustomerId: __, stripeSubscriptionId: ___, unsubscribeToken: ____, ...ofUser } = getTableColumns(users)
const { userId: _____, actorId: ______, waits: _______, ...ofNotification } = getTableColumns(notifications)
const isAssigned = (userId: number) =>
  sql`exists (select 1 from task_assignees where task_id = ${tasks.id} and user_id = ${userId})`

/** What one has made, to take along. */
export const exportData = async (db: Db, viewer: SignedIn) => ({
  format: 'wrk account data, version 1',
  exportedAt: new Date().toISOString(),
  ...(await readData(db, viewer)),
})

/** Everything of one account that is its owner's; of others, only what stands on their boards under their own name. */
async function readData(db: Db, { id: userId }: SignedIn) {
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
      .select({ boardId: rates.boardId, from: sql`nullif(${rates.from}, ${FIRST_DAY})`, cents: rates.cents })
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
