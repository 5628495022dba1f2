import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { OperatorAct } from '../../account/schema'
import { deleteSessionsOf } from '../../auth/server/sessions.store'
import { findBillingAccount } from '../../billing/server/lookup'
import { isOngoing } from '../../billing/server/provider'
import { notDeleted } from '../../boards/server/lookup'
import type { Db } from '../../db/database'
import { billing, boardInvitations, boardMembers, boards, operatorActs, sessions, users } from '../../db/tables'
import type { OpenInvitation } from '../../invitations/schema'
import { invitedUser } from '../../invitations/server/lookup'
import { deleteUnsent } from '../../server/mail/store'
import { type OwnUser, summaryOf, type UserSummary } from '../../users/schema'
import { hasAccount, hasPro, ownColumns } from '../../users/server/lookup'
import { LISTED_AT_MOST, type List, type Person } from '../schema'
import type { AccountGrant, OperatedInvitationGrant, OperatorReadGrant } from './grants'
import { beforeCursor, isAmong, matchesSearch, toPage } from './lookup'

const columns = {
  ...summaryOf(users),
  email: users.email,
  emailVerified: ownColumns.emailVerified,
  isPro: hasPro,
  subscribed: sql<boolean>`(
    select status in ('active', 'trialing', 'past_due') from billing where billing.user_id = users.id) is true`,
  operator: users.operator,
  disabled: sql<boolean>`${users.disabledAt} is not null`,
  boards: sql<number>`(
    select count(*)::int from board_members join boards on boards.id = board_id and deleted_at is null
    where board_members.user_id = users.id)`,
  createdAt: users.createdAt,
  lastSeenAt: sql<Date | null>`(select max(last_seen_at) from sessions where sessions.user_id = users.id)`.mapWith(
    sessions.lastSeenAt,
  ),
}

type Row = Omit<Person, 'createdAt' | 'lastSeenAt'> & { createdAt: Date; lastSeenAt: Date | null }

const toPerson = ({ createdAt, lastSeenAt, ...row }: Row): Person => ({
  ...row,
  createdAt: createdAt.toISOString(),
  lastSeenAt: lastSeenAt?.toISOString() ?? null,
})

const peopleNamed = (search: string) =>
  sql`select users.id from users where ${matchesSearch(search, users.username, users.name, users.email)}`

export async function listPeople(db: Db, _: OperatorReadGrant, list: List) {
  const found = await db
    .select(columns)
    .from(users)
    .where(
      and(hasAccount, beforeCursor(users.id, list), list.search === '' ? undefined : isAmong(users.id, peopleNamed(list.search))),
    )
    .orderBy(desc(users.id))
    .limit(LISTED_AT_MOST + 1)
  return toPage(found.map(toPerson))
}

export async function readPerson(db: Db, _: OperatorReadGrant, userId: number): Promise<Person | undefined> {
  const [found] = await db
    .select(columns)
    .from(users)
    .where(and(eq(users.id, userId), hasAccount))
  return found && toPerson(found)
}

async function change(db: Db, { account }: AccountGrant, changes: Partial<typeof users.$inferInsert>): Promise<OwnUser> {
  const [changed] = await db.update(users).set(changes).where(eq(users.id, account.id)).returning(ownColumns)
  if (!changed) throw new Error('the account was deleted while it was locked')
  return changed
}

/** Returns the sessions that ended; nobody can sign in any more. */
export async function disable(db: Db, grant: AccountGrant): Promise<string[]> {
  await change(db, grant, { disabledAt: new Date() })
  // The next check cancels the subscription at the provider; a newer version invalidates any pending answer.
  await db
    .update(billing)
    .set({ version: sql`${billing.version} + 1`, nextCheckAt: sql`now()` })
    .where(eq(billing.userId, grant.account.id))
  // Mails to an unproven address may be for its true owner.
  if (grant.account.emailVerified) await deleteUnsent(db, grant.account.email)
  return deleteSessionsOf(db, grant.account.id)
}

export const enable = (db: Db, grant: AccountGrant) => change(db, grant, { disabledAt: null })

export const setOperator = (db: Db, grant: AccountGrant, operator: boolean) => change(db, grant, { operator })

export async function noteAct(
  db: Db,
  { account, viewer }: AccountGrant,
  did: OperatorAct['did'],
  email?: string,
): Promise<number> {
  const [noted] = await db
    .insert(operatorActs)
    .values({ userId: account.id, did, by: viewer?.username ?? null, email })
    .returning({ id: operatorActs.id })
  if (!noted) throw new Error('the operator’s action was not recorded')
  return noted.id
}

/** Null while a running subscription decides. */
export async function setPlan(db: Db, grant: AccountGrant, isPro: boolean): Promise<OwnUser | null> {
  // Locks the account first, as storing a subscription does.
  const user = await change(db, grant, { proGiven: isPro, isPro })
  const account = await findBillingAccount(db, user.id)
  return isOngoing(account?.subscription ?? null) ? null : user
}

/** The new address is unproven. Returns the sessions that ended. */
export async function replaceEmail(db: Db, grant: AccountGrant, email: string): Promise<string[]> {
  await change(db, grant, { email, emailVerifiedAt: null })
  if (grant.account.emailVerified) await deleteUnsent(db, grant.account.email)
  return deleteSessionsOf(db, grant.account.id)
}

const isPending = sql`${boardInvitations.status} = 'pending'`

/** A union, because a condition over two tables would use no index. */
const boardsNamed = (search: string) => sql`
  select boards.id from boards where ${matchesSearch(search, boards.name)}
  union all select boards.id from boards
    where ${isAmong(boards.createdBy, sql`select users.id from users where ${matchesSearch(search, users.username)}`)}`

const invitationsNamed = (search: string) => sql`
  select board_invitations.id from board_invitations where ${isPending} and ${matchesSearch(search, boardInvitations.email)}
  union all select board_invitations.id from board_invitations
    where ${isPending}
      and ${isAmong(boardInvitations.userId, sql`select users.id from users where ${matchesSearch(search, users.username)}`)}
  union all select board_invitations.id from board_invitations
    where ${isPending}
      and ${isAmong(boardInvitations.boardId, sql`select boards.id from boards where ${matchesSearch(search, boards.name)}`)}`

export async function listAllBoards(db: Db, _: OperatorReadGrant, list: List) {
  const { id, name, createdAt } = boards
  const found = await db
    .select({
      id,
      name,
      creator: summaryOf(users),
      members: sql<number>`(select count(*)::int from board_members join users on users.id = user_id where board_id = ${id} and ${hasAccount})`,
      tasks: sql<number>`(select count(*)::int from tasks where board_id = ${id} and tasks.deleted_at is null)`,
      createdAt,
    })
    .from(boards)
    .innerJoin(users, eq(users.id, boards.createdBy))
    .where(and(notDeleted, beforeCursor(id, list), list.search === '' ? undefined : isAmong(id, boardsNamed(list.search))))
    .orderBy(desc(id))
    .limit(LISTED_AT_MOST + 1)
  return toPage(found.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })))
}

export const membersOf = (db: Db, _: OperatorReadGrant, boardId: number): Promise<UserSummary[]> =>
  db
    .select(summaryOf(users))
    .from(boardMembers)
    .innerJoin(boards, and(eq(boards.id, boardMembers.boardId), notDeleted))
    .innerJoin(users, and(eq(users.id, boardMembers.userId), hasAccount))
    .where(eq(boardMembers.boardId, boardId))
    .orderBy(asc(boardMembers.id))

export async function listAllInvitations(db: Db, _: OperatorReadGrant, list: List) {
  const { id, email, expiresAt } = boardInvitations
  const found = await db
    .select({ id, email, user: invitedUser, board: { id: boards.id, name: boards.name }, inviter: summaryOf(users), expiresAt })
    .from(boardInvitations)
    .innerJoin(boards, and(eq(boards.id, boardInvitations.boardId), notDeleted))
    .innerJoin(users, eq(users.id, boardInvitations.invitedBy))
    .where(and(isPending, beforeCursor(id, list), list.search === '' ? undefined : isAmong(id, invitationsNamed(list.search))))
    .orderBy(desc(id))
    .limit(LISTED_AT_MOST + 1)
  return toPage(found.map((row) => ({ ...row, expiresAt: row.expiresAt.toISOString() })))
}

export async function revokeAnyInvitation(db: Db, { invitation }: OperatedInvitationGrant): Promise<OpenInvitation> {
  await db.update(boardInvitations).set({ status: 'revoked' }).where(eq(boardInvitations.id, invitation.id))
  return { ...invitation, status: 'revoked' }
}
