import { createHash } from 'node:crypto'
import { and, eq, inArray, isNull, not, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { deleteSome } from '../../boards/server/deleted.store'
import { hasHoursOfOthers, LONG_AGO } from '../../boards/server/lookup'
import { handOverBoard, moveWork } from '../../boards/server/store'
import { CONTRIBUTIONS, isOnBoard } from '../../db/contributions'
import type { Db } from '../../db/database'
import * as schema from '../../db/tables'
import { formerMemberName, summaryOf, type UserSummary } from '../../users/schema'
import { userWithoutAccount } from '../../users/server/store'
import type { AccountDeletionGrant, LeavingGrant, RemovalGrant, StayingGrant } from './grants'
import { LEAVING } from './lookup'

const { boardInvitations, boardMembers, boards, leftBoards, tasks, timeEntries, users } = schema

export type Received = {
  user: UserSummary
  email: string
  isProven: boolean
  isPro: boolean
  boards: { id: number; name: string }[]
}

export async function handOverBoards(db: Db, { handOver }: AccountDeletionGrant): Promise<Received[]> {
  for (const one of handOver) await handOverBoard(db, one)
  const handed = handOver.map(({ board }) => board.id)
  return db
    .select({
      user: summaryOf(users),
      email: users.email,
      isPro: users.isPro,
      isProven: sql<boolean>`${users.emailVerifiedAt} is not null`,
      boards: sql<
        Received['boards']
      >`json_agg(json_build_object('id', ${boards.id}, 'name', ${boards.name}) order by ${boards.id})`,
    })
    .from(boards)
    .innerJoin(users, eq(users.id, boards.createdBy))
    .where(inArray(boards.id, handed))
    .groupBy(users.id)
}

export async function minutesOn(db: Db, { board, memberId }: StayingGrant): Promise<number> {
  const [logged] = await db
    .select({ minutes: sql<number>`coalesce(sum(${timeEntries.duration}), 0)::float8` })
    .from(timeEntries)
    .innerJoin(tasks, and(eq(tasks.id, timeEntries.taskId), isNull(tasks.deletedAt)))
    .where(and(eq(timeEntries.boardId, board.id), eq(timeEntries.userId, memberId)))
  return logged?.minutes ?? 0
}

/** Everything by which the account can be used, found or asked; few rows each. */
const ACCESS = [
  [schema.sessions, schema.sessions.userId],
  [schema.oauthAccounts, schema.oauthAccounts.userId],
  [schema.billing, schema.billing.userId],
  [schema.formerUsernames, schema.formerUsernames.userId],
  [schema.nameOffers, schema.nameOffers.userId],
  [schema.imports, schema.imports.userId],
  [boardInvitations, boardInvitations.invitedBy],
  [boardInvitations, boardInvitations.userId],
  [boardMembers, boardMembers.userId],
  [leftBoards, leftBoards.userId],
] as const

/**
 * Ends the account: from now on it is a former member without a board, and its name and address are free again. What it left on
 * boards that stay counts for their creators; `removeSome` deletes the rest.
 */
export async function endAccount(db: Db, { viewer, stays }: AccountDeletionGrant, keepsContent: boolean): Promise<void> {
  const { id, email, emailVerified } = viewer
  // Mails to an unproven address may be for its true owner.
  if (emailVerified) await db.delete(schema.mails).where(eq(schema.mails.recipient, email))
  for (const [table, whose] of ACCESS) await db.delete(table).where(eq(whose, id))
  await giveUpBoards(db, id)
  const nothing = { password: null, emailVerifiedAt: null, description: null, stripeCustomerId: null, stripeSubscriptionId: null }
  const initial = { avatar: sql`default`, unsubscribeToken: sql`default`, weekStartsOn: sql`default` }
  const none = { operator: false, isPro: false, proGiven: false }
  await db
    .update(users)
    .set({ ...userWithoutAccount(LEAVING, formerMemberName([])), former: true, ...nothing, ...none, ...initial })
    .where(eq(users.id, id))
  const left = stays.map(({ board }) => ({ boardId: board.id, userId: id, removed: keepsContent }))
  if (left.length > 0) await db.insert(leftBoards).values(left)
}

/** The next purge takes its boards; those with others' hours stay deleted, and have no creator once the account is gone. */
const giveUpBoards = (db: Db, userId: number) =>
  db
    .update(boards)
    .set({ deletedAt: LONG_AGO })
    .where(and(eq(boards.createdBy, userId), not(hasHoursOfOthers(userId))))

/**
 * Gives at most `most` rows of a deleted account on a board to a former member. Returns how many, and after the last ones also
 * the former member, null if there were no rows at all.
 */
export async function leaveWork(db: Db, { board, memberId, keepsContent }: LeavingGrant, most: number) {
  // First, so that a former member is only made if there is something to give.
  const deleted = keepsContent ? 0 : await deleteContent(db, board.id, memberId, most)
  if (deleted >= most) return { rows: deleted }
  const former = await formerOn(db, board.id, memberId)
  const move = { boardId: board.id, from: memberId, to: former.user.id }
  const moved = await moveWork(db, move, { most: most - deleted, content: keepsContent })
  const rows = moved + deleted
  if (rows >= most) return { rows }
  const isNobody = former.isNew && moved === 0
  if (isNobody) await db.delete(users).where(eq(users.id, former.user.id))
  for (const table of [leftBoards, boardMembers])
    await db.delete(table).where(and(eq(table.boardId, board.id), eq(table.userId, memberId)))
  return { rows, former: isNobody ? null : former.user }
}

/** The account's former member on the board, found again only through the account's secret token. */
async function formerOn(db: Db, boardId: number, userId: number): Promise<{ user: UserSummary; isNew: boolean }> {
  const [account] = await db.select({ token: users.unsubscribeToken }).from(users).where(eq(users.id, userId))
  const username = `Name-${createHash('sha256').update(`${account?.token} ${boardId}`).digest('hex').slice(0, 16)}`
  const [known] = await db.select(summaryOf(users)).from(users).where(eq(users.username, username))
  if (known) return { user: known, isNew: false }
  const others = await db
    .select({ name: users.name })
    .from(users)
    .where(and(eq(users.importedOn, boardId), users.former))
  const name = formerMemberName(others.map((former) => former.name ?? ''))
  const [user] = await db
    .insert(users)
    .values({ ...userWithoutAccount(boardId, name), username, former: true })
    .returning(summaryOf(users))
  if (!user) throw new Error('the former member was not returned')
  return { user, isNew: true }
}

async function deleteContent(db: Db, boardId: number, userId: number, most: number): Promise<number> {
  let deleted = 0
  for (const work of CONTRIBUTIONS.filter(({ isContent }) => isContent))
    deleted += await deleteSome(db, work.table, and(eq(work.table.userId, userId), isOnBoard(work, boardId)), most - deleted)
  return deleted
}

const REST: [PgTable, PgColumn][] = [
  ...CONTRIBUTIONS.map(({ table }): [PgTable, PgColumn] => [table, table.userId]),
  [schema.notifications, schema.notifications.userId],
  [schema.notifications, schema.notifications.actorId],
  [schema.commentMentions, schema.commentMentions.userId],
  [schema.idempotencyKeys, schema.idempotencyKeys.userId],
  [schema.deletedRows, schema.deletedRows.userId],
]

/** Deletes at most `most` rows of a deleted account that has left all boards, and finally the account. True once it is gone. */
export async function removeRest(db: Db, { userId }: RemovalGrant, most: number): Promise<boolean> {
  let left = most
  for (const [table, whose] of REST) {
    left -= await deleteSome(db, table, eq(whose, userId), left)
    if (left === 0) return false
  }
  left -= await orphanTasks(db, userId, left)
  if (left === 0) return false
  // A request under way while the account ended may have made one.
  await giveUpBoards(db, userId)
  await db.delete(users).where(eq(users.id, userId))
  return true
}

async function orphanTasks(db: Db, userId: number, most: number): Promise<number> {
  const some: SQL = sql`${tasks.id} = any(array(select id from tasks where created_by = ${userId} limit ${most}))`
  const orphans = await db.update(tasks).set({ createdBy: null }).where(some).returning({ id: tasks.id })
  return orphans.length
}
