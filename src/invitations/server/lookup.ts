import { and, asc, eq, getTableColumns, gt, isNull, not, or, sql } from 'drizzle-orm'
import { isFromBeforeRemoval, isMemberOf, notDeleted } from '../../boards/server/lookup'
import type { Db } from '../../db/database'
import { boardInvitations, boards, users } from '../../db/tables'
import type { SignedIn } from '../../server/signedIn'
import { hashToken } from '../../server/tokens'
import { summaryOf, type UserSummary } from '../../users/schema'
import { summaryJson } from '../../users/server/lookup'
import type { InvitedBoard, OpenInvitation } from '../schema'

export const { id, token, email, userId, status, expiresAt, invitedBy, admitted } = getTableColumns(boardInvitations)
const { createdAt, shown } = boardInvitations
export const invitedUser = sql<UserSummary | null>`(select ${summaryJson} from users where users.id = board_invitations.user_id)`
export const openColumns = { id, email, user: invitedUser, status, expiresAt, invitedBy }

// A literal instead of a parameter, so that Postgres can use the partial index.
const isPending = sql`${status} = 'pending'`
export const isValid = and(isPending, gt(expiresAt, sql`now()`))
export const isOfLink = sql`num_nonnulls(${email}, ${userId}) = 0`
export const pendingOn = (boardId: number) => and(eq(boardInvitations.boardId, boardId), isPending)

type Row = Omit<OpenInvitation, 'expiresAt' | 'user'> & { expiresAt: Date; user: UserSummary | null }
export const toOpenInvitation = ({ user, ...row }: Row): OpenInvitation => ({
  ...row,
  ...(user && { user }),
  expiresAt: row.expiresAt.toISOString(),
})

export async function findOpenInvitation(db: Db, boardId: number, invitationId: number): Promise<OpenInvitation | undefined> {
  const [row] = await db
    .select(openColumns)
    .from(boardInvitations)
    .where(and(pendingOn(boardId), eq(id, invitationId)))
  return row && toOpenInvitation(row)
}

export async function boardOfInvitation(db: Db, token: string): Promise<number | undefined> {
  const [row] = await db
    .select({ id: boardInvitations.boardId })
    .from(boardInvitations)
    .where(eq(boardInvitations.token, hashToken(token)))
  return row?.id
}

export async function isDeclined(db: Db, link: { token: string }): Promise<boolean> {
  const declined = and(eq(token, hashToken(link.token)), eq(status, 'declined'))
  return (await db.$count(boardInvitations, declined)) > 0
}

/** By its link, or by board for the invited account or proven address. */
export type InvitationKey = { token: string } | { boardId: number; invited: SignedIn }

export type ValidInvitation = {
  id: number
  email: string | null
  user: UserSummary | null
  shown: boolean
  invitedBy: number
  inviter: UserSummary
  expiresAt: Date
  board: InvitedBoard
}

export async function findInvitation(db: Db, by: InvitationKey, viewerId: number): Promise<ValidInvitation | undefined> {
  const matches =
    'token' in by
      ? eq(boardInvitations.token, hashToken(by.token))
      : and(eq(boardInvitations.boardId, by.boardId), isTo(by.invited))
  const board = { id: boards.id, name: boards.name }
  const [row] = await db
    .select({ id, email, user: invitedUser, shown, invitedBy, inviter: summaryOf(users), expiresAt, board })
    .from(boardInvitations)
    .innerJoin(boards, and(eq(boards.id, boardInvitations.boardId), notDeleted))
    .innerJoin(users, and(eq(users.id, invitedBy), isNull(users.disabledAt)))
    .where(and(isValid, matches, not(isFromBeforeRemoval(boardInvitations.boardId, createdAt, viewerId))))
    .orderBy(asc(id))
    .limit(1)
  return row
}

const isTo = (viewer: SignedIn) => or(eq(userId, viewer.id), viewer.emailVerified ? eq(email, viewer.email) : undefined)

export async function findInvitedBoard(
  db: Db,
  boardId: number,
  viewer: { id: number } | undefined,
): Promise<InvitedBoard | undefined> {
  const isInviting = sql`exists (select 1 from board_invitations where board_id = ${boards.id} and status = 'pending' and expires_at > now()
    and num_nonnulls(email, user_id) = 1)`
  const [row] = await db
    .select({ id: boards.id, name: boards.name })
    .from(boards)
    .where(and(eq(boards.id, boardId), notDeleted, or(isInviting, isMemberOf(boards.id, viewer?.id ?? 0))))
  return row
}
