import { and, asc, eq, getTableColumns, isNull, or, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { isMemberOf, notDeleted } from '../../../boards/server/lookup'
import type { Db } from '../../../db/database'
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
import type { SignedIn } from '../../../server/signedIn'
import { FIRST_DAY } from '../../../time/rates/server/store'

const userColumns = columnsExcept(users, 'password', 'stripeCustomerId', 'stripeSubscriptionId', 'unsubscribeToken')
const sessionColumns = columnsExcept(sessions, 'id', 'userId', 'mayResetUntil')
const attachmentColumns = columnsExcept(attachments, 'filename')
const entryColumns = columnsExcept(timeEntries, 'askedAt')
const notificationColumns = columnsExcept(notifications, 'userId', 'actorId', 'waits')
const isAssigned = (userId: number) => sql`exists (select 1 from task_assignees where task_id = tasks.id and user_id = ${userId})`

export const exportData = async (db: Db, viewer: SignedIn) => ({
  format: 'wrk account data, version 1',
  exportedAt: new Date().toISOString(),
  ...(await readAccount(db, viewer)),
  ...(await readContent(db, viewer)),
  ...(await readHistory(db, viewer)),
})

async function readAccount(db: Db, { id: userId }: SignedIn) {
  const [user] = await db.select(userColumns).from(users).where(eq(users.id, userId))
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
    sessions: await db.select(sessionColumns).from(sessions).where(eq(sessions.userId, userId)),
  }
}

async function readContent(db: Db, { id: userId }: SignedIn) {
  return {
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
      .where(and(eq(boardMembers.userId, userId), notDeleted))
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
      // What one created on a board one has left is no longer one's to see.
      .where(and(isMemberOf(tasks.boardId, userId), isNull(tasks.deletedAt), or(eq(tasks.createdBy, userId), isAssigned(userId))))
      .orderBy(asc(tasks.id)),
    comments: await db.select().from(comments).where(eq(comments.userId, userId)).orderBy(asc(comments.id)),
    attachments: await db
      .select(attachmentColumns)
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
  }
}

async function readHistory(db: Db, { id: userId }: SignedIn) {
  return {
    timeEntries: await db
      .select(entryColumns)
      .from(timeEntries)
      .where(eq(timeEntries.userId, userId))
      .orderBy(asc(timeEntries.id)),
    rates: await db
      .select({ boardId: rates.boardId, from: sql`nullif(${rates.from}, ${FIRST_DAY})`, cents: rates.cents })
      .from(rates)
      // What others cost is theirs.
      .where(eq(rates.userId, userId))
      .orderBy(asc(rates.boardId), asc(rates.from)),
    // Names tasks of others too, so only of boards that one is still on.
    activities: await db
      .select(getTableColumns(activities))
      .from(activities)
      .where(and(eq(activities.userId, userId), isMemberOf(activities.boardId, userId)))
      .orderBy(asc(activities.id)),
    notifications: await db
      .select(notificationColumns)
      .from(notifications)
      .where(and(eq(notifications.userId, userId), isMemberOf(notifications.boardId, userId)))
      .orderBy(asc(notifications.id)),
  }
}

function columnsExcept<Table extends PgTable, Hidden extends keyof Table['_']['columns'] & string>(
  table: Table,
  ...hidden: Hidden[]
) {
  const shown = Object.entries(getTableColumns(table)).filter(([name]) => !hidden.some((one) => one === name))
  // fromEntries forgets the names.
  return Object.fromEntries(shown) as Omit<Table['_']['columns'], Hidden>
}
