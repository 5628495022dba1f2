import { and, asc, eq, getTableColumns, inArray, isNull, not, type SQL, sql } from 'drizzle-orm'
import { union } from 'drizzle-orm/pg-core'
import { thumbnailUrl } from '../../../attachments/server/lookup'
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
  leftBoards,
  nameOffers,
  notifications,
  oauthAccounts,
  operatorActs,
  rates,
  sessions,
  taskAssignees,
  tasks,
  timeEntries,
  users,
} from '../../../db/schema'
import { unauthorized } from '../../../server/errors'
import type { SignedIn } from '../../../server/signedIn'
import { FIRST_DAY } from '../../../time/rates/server/store'
import { columnsExcept, inPages, type Section, whole, withoutIds } from './lookup'

const userColumns = columnsExcept(
  users,
  'password',
  'stripeCustomerId',
  'stripeSubscriptionId',
  'unsubscribeToken',
  'deviceEpoch',
  'former',
)
const sessionColumns = columnsExcept(sessions, 'userId', 'mayResetUntil')
const attachmentColumns = { ...columnsExcept(attachments, 'filename', 'thumbnailSize'), thumbnailUrl }
const entryColumns = columnsExcept(timeEntries, 'askedAt')
const notificationColumns = columnsExcept(notifications, 'userId', 'actorId', 'waits')
const isAssigned = (userId: number) => sql`exists (select 1 from task_assignees where task_id = tasks.id and user_id = ${userId})`

/** The rows of a list are fixed when it begins, and read page by page, so that slow readers hold no transaction. */
export const exportSections = (db: Db, viewer: SignedIn): Section[] => [
  ...accountSections(db, viewer),
  ...contentSections(db, viewer),
  ...historySections(db, viewer),
]

export async function readProfile(db: Db, { id: userId }: SignedIn) {
  const [user] = await db.select(userColumns).from(users).where(eq(users.id, userId))
  if (!user) throw unauthorized()
  return user
}

function accountSections(db: Db, { id: userId }: SignedIn): Section[] {
  const { username, until } = formerUsernames
  const { status, cancelAtPeriodEnd, currentPeriodEnd } = billing
  const { provider, createdAt } = oauthAccounts
  const { did, by, createdAt: at } = operatorActs
  const ownSessions = (page?: SQL) =>
    db
      .select(sessionColumns)
      .from(sessions)
      .where(and(eq(sessions.userId, userId), page))
      .orderBy(asc(sessions.id))
  return [
    ['formerUsernames', whole(db.select({ username, until }).from(formerUsernames).where(eq(formerUsernames.userId, userId)))],
    [
      'subscriptions',
      whole(db.select({ status, cancelAtPeriodEnd, currentPeriodEnd }).from(billing).where(eq(billing.userId, userId))),
    ],
    ['providers', whole(db.select({ provider, createdAt }).from(oauthAccounts).where(eq(oauthAccounts.userId, userId)))],
    ['operatorActs', whole(db.select({ did, by, createdAt: at }).from(operatorActs).where(eq(operatorActs.userId, userId)))],
    ['sessions', withoutIds(inPages(db, sessions.id, ownSessions))],
  ]
}

function contentSections(db: Db, { id: userId }: SignedIn): Section[] {
  const ownBoards = (page?: SQL) =>
    db
      .select({
        id: boards.id,
        name: boards.name,
        description: boards.description,
        createdByMe: sql<boolean>`${boards.createdBy} = ${userId}`,
        createdAt: boards.createdAt,
        memberSince: boardMembers.addedAt,
        pinned: boardMembers.pinned,
        place: boardMembers.place,
      })
      .from(boards)
      .innerJoin(boardMembers, eq(boardMembers.boardId, boards.id))
      .where(and(eq(boardMembers.userId, userId), notDeleted, page))
      .orderBy(asc(boards.id))
  const ownTasks = (page?: SQL) =>
    db
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
        doneAt: tasks.doneAt,
      })
      .from(tasks)
      // What one created on a board one has left is no longer one's to see.
      .where(
        and(inArray(tasks.id, createdOrAssigned(db, userId)), isMemberOf(tasks.boardId, userId), isNull(tasks.deletedAt), page),
      )
      .orderBy(asc(tasks.id))
  const ownComments = (page?: SQL) =>
    db
      .select()
      .from(comments)
      .where(and(eq(comments.userId, userId), page))
      .orderBy(asc(comments.id))
  const ownAttachments = (page?: SQL) =>
    db
      .select(attachmentColumns)
      .from(attachments)
      .where(and(eq(attachments.userId, userId), page))
      .orderBy(asc(attachments.id))
  const ownInvitations = (page?: SQL) =>
    db
      .select({
        id: boardInvitations.id,
        boardId: boardInvitations.boardId,
        email: boardInvitations.email,
        username: sql<string | null>`(select username from users where users.id = board_invitations.user_id)`,
        status: boardInvitations.status,
        expiresAt: boardInvitations.expiresAt,
        createdAt: boardInvitations.createdAt,
        acceptedAt: boardInvitations.acceptedAt,
      })
      .from(boardInvitations)
      .where(and(eq(boardInvitations.invitedBy, userId), page))
      .orderBy(asc(boardInvitations.id))
  const { boardId, leftAt, removed } = leftBoards
  const ownNames = db
    .select({ boardId: users.importedOn, name: users.name, answer: nameOffers.answer })
    .from(nameOffers)
    .innerJoin(users, eq(users.id, nameOffers.nameId))
    .where(and(eq(nameOffers.userId, userId), isMemberOf(users.importedOn, userId)))
    .orderBy(asc(nameOffers.nameId))
  return [
    ['boards', inPages(db, boards.id, ownBoards)],
    ['boardsLeft', whole(db.select({ boardId, leftAt, removed }).from(leftBoards).where(eq(leftBoards.userId, userId)))],
    ['tasks', inPages(db, tasks.id, ownTasks)],
    ['comments', inPages(db, comments.id, ownComments)],
    ['attachments', inPages(db, attachments.id, ownAttachments)],
    ['invitationsSent', withoutIds(inPages(db, boardInvitations.id, ownInvitations))],
    ['importedNames', whole(ownNames)],
  ]
}

/** Two lists, each by its index: `or` would read all tasks of the installation. */
function createdOrAssigned(db: Db, userId: number) {
  const own = and(eq(taskAssignees.boardId, boardMembers.boardId), eq(taskAssignees.userId, boardMembers.userId))
  return union(
    db.select({ id: tasks.id }).from(tasks).where(eq(tasks.createdBy, userId)),
    db
      .select({ id: taskAssignees.taskId })
      .from(boardMembers)
      .innerJoin(taskAssignees, own)
      .where(eq(boardMembers.userId, userId)),
  )
}

/** They quote what the task's board no longer shows. */
const isOfDeletedTask = sql`exists (
  select 1 from tasks where tasks.id = ${notifications.taskId} and tasks.deleted_at is not null)`

function historySections(db: Db, { id: userId }: SignedIn): Section[] {
  const ownEntries = (page?: SQL) =>
    db
      .select(entryColumns)
      .from(timeEntries)
      .where(and(eq(timeEntries.userId, userId), page))
      .orderBy(asc(timeEntries.id))
  const ownRates = db
    .select({ boardId: rates.boardId, from: sql`nullif(${rates.from}, ${FIRST_DAY})`, cents: rates.cents })
    .from(rates)
    // What others cost is theirs.
    .where(eq(rates.userId, userId))
    .orderBy(asc(rates.boardId), asc(rates.from))
  // Names tasks of others too, so only of boards that one is still on.
  const ownActivities = (page?: SQL) =>
    db
      .select(getTableColumns(activities))
      .from(activities)
      .where(and(eq(activities.userId, userId), isMemberOf(activities.boardId, userId), page))
      .orderBy(asc(activities.id))
  const ownNotifications = (page?: SQL) =>
    db
      .select(notificationColumns)
      .from(notifications)
      .where(and(eq(notifications.userId, userId), isMemberOf(notifications.boardId, userId), not(isOfDeletedTask), page))
      .orderBy(asc(notifications.id))
  return [
    ['timeEntries', inPages(db, timeEntries.id, ownEntries)],
    ['rates', whole(ownRates)],
    ['activities', inPages(db, activities.id, ownActivities)],
    ['notifications', inPages(db, notifications.id, ownNotifications)],
  ]
}
