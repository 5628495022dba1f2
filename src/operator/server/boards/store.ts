import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { notDeleted } from '../../../boards/server/lookup'
import type { Db } from '../../../db/database'
import { boardInvitations, boardMembers, boards, users } from '../../../db/schema'
import { summaryOf, type UserSummary } from '../../../users/schema'
import { LISTED_AT_MOST, type List } from '../../schema'
import type { OperatedBoardGrant, OperatedInvitationGrant, OperatorReadGrant } from '../grants'
import { before, holds, partOf } from '../lookup'

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
    .where(and(notDeleted, before(id, list), holds(list.search, name, users.username)))
    .orderBy(desc(id))
    .limit(LISTED_AT_MOST + 1)
  return partOf(found.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })))
}

export const membersOf = (db: Db, _: OperatorReadGrant, boardId: number): Promise<UserSummary[]> =>
  db
    .select(summaryOf(users))
    .from(boardMembers)
    .innerJoin(boards, and(eq(boards.id, boardMembers.boardId), notDeleted))
    .innerJoin(users, eq(users.id, boardMembers.userId))
    .where(eq(boardMembers.boardId, boardId))
    .orderBy(asc(boardMembers.id))

export async function handOverBoard(db: Db, { board }: OperatedBoardGrant, userId: number): Promise<void> {
  await db.update(boards).set({ createdBy: userId }).where(eq(boards.id, board.id))
  const membership = and(eq(boardMembers.boardId, board.id), eq(boardMembers.userId, userId))
  // As if they came now, so that it counts as their last board.
  await db.update(boardMembers).set({ addedAt: sql`now()` }).where(membership)
}

export async function listAllInvitations(db: Db, _: OperatorReadGrant, list: List) {
  const { id, email, expiresAt } = boardInvitations
  const found = await db
    .select({ id, email, board: { id: boards.id, name: boards.name }, inviter: summaryOf(users), expiresAt })
    .from(boardInvitations)
    .innerJoin(boards, and(eq(boards.id, boardInvitations.boardId), notDeleted))
    .innerJoin(users, eq(users.id, boardInvitations.invitedBy))
    .where(and(sql`${boardInvitations.status} = 'pending'`, before(id, list), holds(list.search, email, boards.name)))
    .orderBy(desc(id))
    .limit(LISTED_AT_MOST + 1)
  return partOf(found.map((row) => ({ ...row, expiresAt: row.expiresAt.toISOString() })))
}

export const revokeAnyInvitation = (db: Db, { invitationId }: OperatedInvitationGrant) =>
  db.update(boardInvitations).set({ status: 'revoked' }).where(eq(boardInvitations.id, invitationId))
