import { setImmediate } from 'node:timers/promises'
import { and, asc, eq, getTableColumns, inArray, isNull, not, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { type PgColumn, type PgTable, union } from 'drizzle-orm/pg-core'
import { extensionOf } from '../../archive/server/writeArchive'
import { thumbnailUrl } from '../../attachments/server/lookup'
import { isMemberOf, notDeleted } from '../../boards/server/lookup'
import type { Db } from '../../db/database'
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
} from '../../db/tables'
import { unauthorized } from '../../server/errors'
import type { SignedIn } from '../../server/signedIn'
import { fieldColumns } from '../../tasks/server/lookup'
import { FIRST_DAY } from '../../time/schema'
import { AVATARS, storedName } from '../../users/server/lookup'

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

/** Each list fixes its ids when it begins and is read page by page, so that slow readers hold no transaction. */
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
  return [
    ['formerUsernames', whole(db.select({ username, until }).from(formerUsernames).where(eq(formerUsernames.userId, userId)))],
    [
      'subscriptions',
      whole(db.select({ status, cancelAtPeriodEnd, currentPeriodEnd }).from(billing).where(eq(billing.userId, userId))),
    ],
    ['providers', whole(db.select({ provider, createdAt }).from(oauthAccounts).where(eq(oauthAccounts.userId, userId)))],
    ['operatorActs', whole(db.select({ did, by, createdAt: at }).from(operatorActs).where(eq(operatorActs.userId, userId)))],
    ['sessions', withoutIds(ownRows(db, userId, sessions, sessionColumns))],
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
        ...fieldColumns,
        createdByMe: sql<boolean>`${tasks.createdBy} is not distinct from ${userId}`,
        assignedToMe: sql<boolean>`${isAssigned(userId)}`,
        createdAt: tasks.createdAt,
        doneAt: tasks.doneAt,
      })
      .from(tasks)
      // Without tasks on boards the user has left.
      .where(
        and(inArray(tasks.id, createdOrAssigned(db, userId)), isMemberOf(tasks.boardId, userId), isNull(tasks.deletedAt), page),
      )
      .orderBy(asc(tasks.id))
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
    ['comments', ownRows(db, userId, comments, getTableColumns(comments))],
    ['attachments', ownRows(db, userId, attachments, attachmentColumns)],
    ['invitationsSent', withoutIds(inPages(db, boardInvitations.id, ownInvitations))],
    ['importedNames', whole(ownNames)],
  ]
}

/** A union, because `or` would use no index. */
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

/** Their texts quote deleted tasks. */
const isOfDeletedTask = sql`exists (
  select 1 from tasks where tasks.id = ${notifications.taskId} and tasks.deleted_at is not null)`

function historySections(db: Db, { id: userId }: SignedIn): Section[] {
  const ownRates = db
    .select({ boardId: rates.boardId, from: sql`nullif(${rates.from}, ${FIRST_DAY})`, cents: rates.cents })
    .from(rates)
    .where(eq(rates.userId, userId))
    .orderBy(asc(rates.boardId), asc(rates.from))
  // They name others' tasks, so only on boards the user is still on.
  const isOnBoard = isMemberOf(activities.boardId, userId)
  const isShown = and(isMemberOf(notifications.boardId, userId), not(isOfDeletedTask))
  return [
    ['timeEntries', ownRows(db, userId, timeEntries, entryColumns)],
    ['rates', whole(ownRates)],
    ['activities', ownRows(db, userId, activities, getTableColumns(activities), isOnBoard)],
    ['notifications', ownRows(db, userId, notifications, notificationColumns, isShown)],
  ]
}

type Query = PromiseLike<object[]> & SQLWrapper
export type Section = [name: string, pages: AsyncIterable<object[]>]

const PAGE_ROWS = 100

async function* inPages(db: Db, id: PgColumn, rows: (page: SQL | undefined) => Query): AsyncGenerator<object[]> {
  // One JSON value, because fifty thousand rows take a driver half a second.
  const ids = sql<(number | string)[]>`coalesce(json_agg(found.id), '[]')`
  const [found] = await db.select({ ids }).from(sql`(${rows(undefined)}) as found`)
  const all = found?.ids ?? []
  for (let from = 0; from < all.length; from += PAGE_ROWS) {
    await setImmediate()
    const some = all.slice(from, from + PAGE_ROWS)
    yield await rows(sql`${id} = any(${sql.param(some)}::${sql.raw(id.getSQLType() === 'text' ? 'text' : 'int')}[])`)
  }
}

type Owned = PgTable & { id: PgColumn; userId: PgColumn }

const ownRows = (db: Db, userId: number, table: Owned, columns: Record<string, PgColumn | SQL.Aliased>, more?: SQL) =>
  inPages(db, table.id, (page) =>
    db
      .select(columns)
      .from(table as PgTable)
      .where(and(eq(table.userId, userId), more, page))
      .orderBy(asc(table.id)),
  )

async function* withoutIds(pages: AsyncIterable<object[]>): AsyncGenerator<object[]> {
  for await (const page of pages) yield page.map((row) => ({ ...row, id: undefined }))
}

export async function* whole(rows: PromiseLike<object[]>): AsyncGenerator<object[]> {
  yield await rows
}

function columnsExcept<Table extends PgTable, Hidden extends keyof Table['_']['columns'] & string>(
  table: Table,
  ...hidden: Hidden[]
) {
  const shown = Object.entries(getTableColumns(table)).filter(([name]) => !hidden.some((one) => one === name))
  // fromEntries loses the type of the keys.
  return Object.fromEntries(shown) as Omit<Table['_']['columns'], Hidden>
}

type OwnFile = { table: 'user' | 'attachments'; id: number; file: string; stored: string }

export async function ownFiles(db: Db, { id: userId }: SignedIn, { avatar }: { avatar: string }): Promise<OwnFile[]> {
  const attached = await db
    .select({ id: attachments.id, filename: attachments.filename, name: attachments.originalFilename })
    .from(attachments)
    .innerJoin(tasks, and(eq(tasks.id, attachments.taskId), isNull(tasks.deletedAt)))
    .where(and(eq(attachments.userId, userId), isMemberOf(tasks.boardId, userId)))
    .orderBy(asc(attachments.id))
  const picture = avatar.startsWith(`${AVATARS}/`) ? avatar.slice(AVATARS.length + 1) : undefined
  return [
    ...(picture ? [{ table: 'user' as const, id: userId, file: 'avatar.webp', stored: storedName(picture) }] : []),
    ...attached.map(({ id, filename, name }) => ({
      table: 'attachments' as const,
      id,
      stored: filename,
      file: `${id}${extensionOf(name)}`,
    })),
  ]
}
