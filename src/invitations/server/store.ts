import { and, asc, count, eq, getTableColumns, gt, ne, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { boardInvitations, boardMembers, boards } from '../../db/schema'
import type { BoardGrant, JoinGrant, MemberGrant, RevocationGrant } from '../../server/grants'
import { INVITATION_DAYS, type InvitedBoard, KEPT_DAYS, OPEN_MAX, type OpenInvitation } from '../schema'

const { id, email, status, expiresAt, invitedBy } = getTableColumns(boardInvitations)
const openColumns = { id, email, status, expiresAt, invitedBy }

// Written out, not given as a parameter: else Postgres could not tell that the index of pending ones serves.
const isPending = sql`${status} = 'pending'`
const isValid = and(isPending, gt(expiresAt, sql`now()`))
const ofBoard = (boardId: number) => and(eq(boardInvitations.boardId, boardId), isPending)

type Row = Omit<OpenInvitation, 'expiresAt'> & { expiresAt: Date }
const toOpen = (row: Row): OpenInvitation => ({ ...row, expiresAt: row.expiresAt.toISOString() })

/** The invitations of a board that nobody has used, those that expired lately too, oldest first. */
export async function listInvitations(db: Db, { board }: BoardGrant<'read'>): Promise<OpenInvitation[]> {
  const rows = await db.select(openColumns).from(boardInvitations).where(ofBoard(board.id)).orderBy(asc(id))
  return rows.map(toOpen)
}

/** Only what the mail holds opens a board: this cannot be read back to it. */
const hashed = (token: string) => new Bun.CryptoHasher('sha256').update(token).digest('hex')

/**
 * Invites an address for 7 days, anew where it is invited already: the link that was sent before ends, and whoever
 * invited last is the inviter. Null where the board has too many open invitations.
 */
export async function addInvitation(db: Db, { board, viewer }: BoardGrant<'change'>, to: string) {
  const others = and(ofBoard(board.id), ne(email, to))
  const [open] = await db.select({ others: count() }).from(boardInvitations).where(others)
  if ((open?.others ?? 0) >= OPEN_MAX) return null
  const token = crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: 'base64url', omitPadding: true })
  const facts = {
    token: hashed(token),
    invitedBy: viewer.id,
    expiresAt: sql`now() + ${INVITATION_DAYS} * interval '1 day'`,
    createdAt: sql`now()`,
  }
  const [row] = await db
    .insert(boardInvitations)
    .values({ ...facts, boardId: board.id, email: to })
    .onConflictDoUpdate({ target: [boardInvitations.boardId, email], targetWhere: sql`status = 'pending'`, set: facts })
    .returning(openColumns)
  if (!row) throw new Error('the new invitation was not returned')
  return { invitation: toOpen(row), token }
}

export async function findOpen(db: Db, boardId: number, invitationId: number): Promise<OpenInvitation | undefined> {
  const [row] = await db
    .select(openColumns)
    .from(boardInvitations)
    .where(and(ofBoard(boardId), eq(id, invitationId)))
  return row && toOpen(row)
}

export async function revokeInvitation(db: Db, { invitation }: RevocationGrant): Promise<OpenInvitation> {
  await db.update(boardInvitations).set({ status: 'revoked' }).where(eq(id, invitation.id))
  return { ...invitation, status: 'revoked' }
}

/** With a membership, the invitations that the person sent end: nobody comes back by a link to an address of their own. */
export const revokeInvitationsBy = (db: Db, { board, memberId }: MemberGrant) =>
  db
    .update(boardInvitations)
    .set({ status: 'revoked' })
    .where(and(ofBoard(board.id), eq(invitedBy, memberId)))

/** Ends what is open for the address of somebody who has become a member otherwise; answers the ids. */
export async function endInvitationsTo(db: Db, board: { id: number }, userId: number): Promise<number[]> {
  const theirs = sql`${email} = (select email from users where id = ${userId})`
  const ended = await db
    .update(boardInvitations)
    .set({ status: 'revoked' })
    .where(and(ofBoard(board.id), theirs))
    .returning({ id })
  return ended.map((row) => row.id)
}

export async function boardOfInvitation(db: Db, token: string): Promise<number | undefined> {
  const [row] = await db
    .select({ id: boardInvitations.boardId })
    .from(boardInvitations)
    .where(eq(boardInvitations.token, hashed(token)))
  return row?.id
}

export type ValidInvitation = { id: number; email: string; invitedBy: number; expiresAt: Date; board: InvitedBoard }

/** An invitation that can be accepted, by its link, or by its board and the address that it was sent to. */
export async function findInvitation(
  db: Db,
  by: { token: string } | { boardId: number; email: string },
): Promise<ValidInvitation | undefined> {
  const named =
    'token' in by
      ? eq(boardInvitations.token, hashed(by.token))
      : and(eq(boardInvitations.boardId, by.boardId), eq(email, by.email))
  const [row] = await db
    .select({ id, email, invitedBy, expiresAt, board: { id: boards.id, name: boards.name } })
    .from(boardInvitations)
    .innerJoin(boards, eq(boards.id, boardInvitations.boardId))
    .where(and(isValid, named))
  return row
}

/** The name of a board that anyone is invited to at the moment, or of which the viewer is a member. */
export async function findInvitedBoard(db: Db, boardId: number, viewerId: number): Promise<InvitedBoard | undefined> {
  const invites = sql`exists (select 1 from board_invitations where board_id = ${boards.id} and status = 'pending' and expires_at > now())`
  const holds = sql`exists (select 1 from board_members where board_id = ${boards.id} and user_id = ${viewerId})`
  const [row] = await db
    .select({ id: boards.id, name: boards.name })
    .from(boards)
    .where(and(eq(boards.id, boardId), sql`(${invites} or ${holds})`))
  return row
}

/** Makes whoever holds an invitation a member; notes that it was used, when, and by whom. */
export async function acceptInvitation(db: Db, { board, viewer, invitation }: JoinGrant): Promise<void> {
  await db
    .update(boardInvitations)
    .set({ status: 'accepted', acceptedAt: sql`now()`, acceptedBy: viewer.id })
    .where(eq(id, invitation.id))
  await db.insert(boardMembers).values({ boardId: board.id, userId: viewer.id })
}

/** Forgets those that expired long ago; who came by one is kept with the board. */
export const cleanInvitations = (db: Db) =>
  db.delete(boardInvitations).where(and(ne(status, 'accepted'), sql`${expiresAt} < now() - ${KEPT_DAYS} * interval '1 day'`))
