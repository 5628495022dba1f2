import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { notDeleted } from '../../../boards/server/lookup'
import type { Db } from '../../../db/database'
import { boardInvitations, boardMembers, boards, users } from '../../../db/schema'
import type { OpenInvitation } from '../../../invitations/schema'
import { invitedUser } from '../../../invitations/server/lookup'
import { summaryOf, type UserSummary } from '../../../users/schema'
import { hasAccount } from '../../../users/server/lookup'
import { LISTED_AT_MOST, type List } from '../../schema'
import type { OperatedInvitationGrant, OperatorReadGrant } from '../grants'
import { before, holds, isAmong, partOf } from '../lookup'

const isPending = sql`${boardInvitations.status} = 'pending'`

/** Each way by an index of its own: one condition over two tables would read all of them. */
const boardsNamed = (search: string) => sql`
  select boards.id from boards where ${holds(search, boards.name)}
  union all select boards.id from boards
    where ${isAmong(boards.createdBy, sql`select users.id from users where ${holds(search, users.username)}`)}`

const invitationsNamed = (search: string) => sql`
  select board_invitations.id from board_invitations where ${isPending} and ${holds(search, boardInvitations.email)}
  union all select board_invitations.id from board_invitations
    where ${isPending}
      and ${isAmong(boardInvitations.userId, sql`select users.id from users where ${holds(search, users.username)}`)}
  union all select board_invitations.id from board_invitations
    where ${isPending}
      and ${isAmong(boardInvitations.boardId, sql`select boards.id from boards where ${holds(search, boards.name)}`)}`

/** Names and numbers, and nothing of what is on them. */
export async function listAllBoards(db: Db, _: OperatorReadGrant, list: List) {
  const { id, name, createdAt } = boards
  const found = await db
    .select({
      id,
      name,
      creator: summaryOf(users),
      members: sql<number>`(select count(*)::int from board_members where board_id = ${id})`,
      tasks: sql<number>`(select count(*)::int from tasks where board_id = ${id} and tasks.deleted_at is null)`,
      createdAt,
    })
    .from(boards)
    .innerJoin(users, eq(users.id, boards.createdBy))
    .where(and(notDeleted, before(id, list), list.search === '' ? undefined : isAmong(id, boardsNamed(list.search))))
    .orderBy(desc(id))
    .limit(LISTED_AT_MOST + 1)
  return partOf(found.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })))
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
    .where(and(isPending, before(id, list), list.search === '' ? undefined : isAmong(id, invitationsNamed(list.search))))
    .orderBy(desc(id))
    .limit(LISTED_AT_MOST + 1)
  return partOf(found.map((row) => ({ ...row, expiresAt: row.expiresAt.toISOString() })))
}

export async function revokeAnyInvitation(db: Db, { invitation }: OperatedInvitationGrant): Promise<OpenInvitation> {
  await db.update(boardInvitations).set({ status: 'revoked' }).where(eq(boardInvitations.id, invitation.id))
  return { ...invitation, status: 'revoked' }
}
