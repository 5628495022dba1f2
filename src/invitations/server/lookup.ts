import { and, eq, getTableColumns, gt, isNull, or, sql } from 'drizzle-orm'
import { isMemberOf, notDeleted } from '../../boards/server/lookup'
import type { Db } from '../../db/database'
import { boardInvitations, boards, users } from '../../db/schema'
import { hashToken } from '../../server/tokens'
import { summaryOf, type UserSummary } from '../../users/schema'
import type { InvitedBoard, OpenInvitation } from '../schema'

export const { id, token, email, status, expiresAt, invitedBy, admitted } = getTableColumns(boardInvitations)
export const openColumns = { id, email, status, expiresAt, invitedBy }

// A literal instead of a parameter, so that Postgres can use the partial index.
const isPending = sql`${status} = 'pending'`
export const isValid = and(isPending, gt(expiresAt, sql`now()`))
export const pendingOn = (boardId: number) => and(eq(boardInvitations.boardId, boardId), isPending)

type Row = Omit<OpenInvitation, 'expiresAt'> & { expiresAt: Date }
export const toOpenInvitation = (row: Row): OpenInvitation => ({ ...row, expiresAt: row.expiresAt.toISOString() })

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

export type ValidInvitation = {
  id: number
  email: string
  invitedBy: number
  inviter: UserSummary
  expiresAt: Date
  board: InvitedBoard
}

export async function findInvitation(
  db: Db,
  by: { token: string } | { boardId: number; email: string },
): Promise<ValidInvitation | undefined> {
  const matches =
    'token' in by
      ? eq(boardInvitations.token, hashToken(by.token))
      : and(eq(boardInvitations.boardId, by.boardId), eq(email, by.email))
  const [row] = await db
    .select({ id, email, invitedBy, inviter: summaryOf(users), expiresAt, board: { id: boards.id, name: boards.name } })
    .from(boardInvitations)
    .innerJoin(boards, and(eq(boards.id, boardInvitations.boardId), notDeleted))
    .innerJoin(users, and(eq(users.id, invitedBy), isNull(users.disabledAt)))
    .where(and(isValid, matches))
  return row
}

export async function findInvitedBoard(
  db: Db,
  boardId: number,
  viewer: { id: number } | undefined,
): Promise<InvitedBoard | undefined> {
  const isInviting = sql`exists (select 1 from board_invitations where board_id = ${boards.id} and status = 'pending' and expires_at > now())`
  const [row] = await db
    .select({ id: boards.id, name: boards.name })
    .from(boards)
    .where(and(eq(boards.id, boardId), notDeleted, or(isInviting, isMemberOf(boards.id, viewer?.id ?? 0))))
  return row
}
