import { and, asc, count, eq, ne, sql } from 'drizzle-orm'
import type { BoardGrant, MemberGrant } from '../../boards/server/grants'
import type { Db } from '../../db/database'
import { boardInvitations, boardMembers } from '../../db/schema'
import { hashToken, newToken } from '../../server/tokens'
import { EXPIRED_RETENTION_DAYS, INVITATION_DAYS, OPEN_INVITATIONS_MAX, type OpenInvitation } from '../schema'
import type { JoinGrant, RevocationGrant } from './grants'
import { email, expiresAt, id, invitedBy, openColumns, pendingOn, status, toOpenInvitation } from './lookup'

export async function listInvitations(db: Db, { board }: BoardGrant<'read'>): Promise<OpenInvitation[]> {
  const rows = await db.select(openColumns).from(boardInvitations).where(pendingOn(board.id)).orderBy(asc(id))
  return rows.map(toOpenInvitation)
}

/** Inviting an address again replaces its link and inviter. Null if the board has too many open invitations. */
export async function addInvitation(db: Db, { board, viewer }: BoardGrant<'change'>, to: string) {
  const others = and(pendingOn(board.id), ne(email, to))
  const [open] = await db.select({ others: count() }).from(boardInvitations).where(others)
  if ((open?.others ?? 0) >= OPEN_INVITATIONS_MAX) return null
  const token = newToken()
  const values = {
    // Hashed, so that a reader of a backup cannot join.
    token: hashToken(token),
    invitedBy: viewer.id,
    expiresAt: sql`now() + ${INVITATION_DAYS} * interval '1 day'`,
    createdAt: sql`now()`,
  }
  const [row] = await db
    .insert(boardInvitations)
    .values({ ...values, boardId: board.id, email: to })
    .onConflictDoUpdate({ target: [boardInvitations.boardId, email], targetWhere: sql`status = 'pending'`, set: values })
    .returning(openColumns)
  if (!row) throw new Error('the new invitation was not returned')
  return { invitation: toOpenInvitation(row), token }
}

export async function revokeInvitation(db: Db, { invitation }: RevocationGrant): Promise<OpenInvitation> {
  await db.update(boardInvitations).set({ status: 'revoked' }).where(eq(id, invitation.id))
  return { ...invitation, status: 'revoked' }
}

/** A removed member must not come back through a link to an address of their own. */
export const revokeInvitationsBy = (db: Db, { board, memberId }: MemberGrant) =>
  db
    .update(boardInvitations)
    .set({ status: 'revoked' })
    .where(and(pendingOn(board.id), eq(invitedBy, memberId)))

export async function endInvitationsTo(db: Db, { board }: BoardGrant<'change'> | JoinGrant, userId: number): Promise<number[]> {
  const theirs = sql`${email} = (select email from users where id = ${userId} and email_verified_at is not null)`
  const ended = await db
    .update(boardInvitations)
    .set({ status: 'revoked' })
    .where(and(pendingOn(board.id), theirs))
    .returning({ id })
  return ended.map((row) => row.id)
}

export async function acceptInvitation(db: Db, { board, viewer, invitation }: JoinGrant): Promise<void> {
  await db
    .update(boardInvitations)
    .set({ status: 'accepted', acceptedAt: sql`now()`, acceptedBy: viewer.id })
    .where(eq(id, invitation.id))
  await db.insert(boardMembers).values({ boardId: board.id, userId: viewer.id })
}

export const purgeExpiredInvitations = (db: Db) =>
  db
    .delete(boardInvitations)
    .where(and(ne(status, 'accepted'), sql`${expiresAt} < now() - ${EXPIRED_RETENTION_DAYS} * interval '1 day'`))
