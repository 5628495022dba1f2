import { and, asc, count, eq, isNull, ne, not, or, sql } from 'drizzle-orm'
import type { BoardGrant, MemberGrant } from '../../boards/server/grants'
import { notDeleted } from '../../boards/server/lookup'
import { forgetLeaving } from '../../boards/server/store'
import type { Db } from '../../db/database'
import { boardInvitations, boardMembers, boards, users } from '../../db/tables'
import { hashToken, newToken } from '../../server/tokens'
import type { UserSummary } from '../../users/schema'
import { findSummary } from '../../users/server/lookup'
import {
  EXPIRED_RETENTION_DAYS,
  INVITATION_DAYS,
  isLink,
  OPEN_INVITATIONS_MAX,
  OPEN_LINKS_MAX,
  type OpenInvitation,
} from '../schema'
import type { DeclineGrant, JoinGrant, RevocationGrant } from './grants'
import {
  admitted,
  email,
  expiresAt,
  id,
  invitedBy,
  isOfLink,
  isValid,
  openColumns,
  pendingOn,
  status,
  token,
  toOpenInvitation,
  userId,
} from './lookup'

export async function listInvitations(db: Db, { board }: BoardGrant<'read'>): Promise<OpenInvitation[]> {
  const rows = await db.select(openColumns).from(boardInvitations).where(pendingOn(board.id)).orderBy(asc(id))
  return rows.map(toOpenInvitation)
}

export type Invited = { email: string; shown: boolean } | { userId: number }

/** An invite link. Null if the board has too many. */
export async function insertInviteLink(db: Db, { board, viewer }: BoardGrant<'change'>) {
  if ((await db.$count(boardInvitations, and(pendingOn(board.id), isValid, isOfLink))) >= OPEN_LINKS_MAX) return null
  const key = newToken()
  const values = { token: hashToken(key), boardId: board.id, invitedBy: viewer.id, shown: true, ...fromNow }
  const [row] = await db.insert(boardInvitations).values(values).returning(openColumns)
  if (!row) throw new Error('the new link was not returned')
  return { invitation: toOpenInvitation(row), token: key }
}

export async function revokeLinks(db: Db, { board }: BoardGrant<'edit'>): Promise<OpenInvitation[]> {
  const ended = await db
    .update(boardInvitations)
    .set({ status: 'revoked' })
    .where(and(pendingOn(board.id), isOfLink))
    .returning(openColumns)
  return ended.map(toOpenInvitation)
}

const fromNow = {
  expiresAt: sql`now() + ${INVITATION_DAYS} * interval '1 day'`,
  // With the board locked this clock orders removals and invitations as they happened.
  createdAt: sql`clock_timestamp()`,
}

/** Inviting again replaces the link and the inviter. Null if the board has too many open invitations. */
export async function addInvitation(db: Db, { board, viewer }: BoardGrant<'change'>, to: Invited) {
  const [invited, target] = 'email' in to ? [eq(email, to.email), email] : [eq(userId, to.userId), userId]
  const others = and(pendingOn(board.id), isValid, not(isOfLink), sql`${invited} is not true`)
  const [open] = await db.select({ others: count() }).from(boardInvitations).where(others)
  if ((open?.others ?? 0) >= OPEN_INVITATIONS_MAX) return null
  const key = newToken()
  const values = {
    // Hashed, so that a reader of a backup cannot join. An account needs no link, and gets none.
    token: hashToken(key),
    invitedBy: viewer.id,
    admitted: false,
    shown: 'shown' in to && to.shown,
    ...fromNow,
  }
  const [row] = await db
    .insert(boardInvitations)
    .values({ boardId: board.id, ...to, ...values })
    .onConflictDoUpdate({ target: [boardInvitations.boardId, target], targetWhere: sql`status = 'pending'`, set: values })
    .returning(openColumns)
  if (!row) throw new Error('the new invitation was not returned')
  return { invitation: toOpenInvitation(row), token: key }
}

export async function revokeInvitation(db: Db, { invitation }: RevocationGrant): Promise<OpenInvitation> {
  await db.update(boardInvitations).set({ status: 'revoked' }).where(eq(id, invitation.id))
  return { ...invitation, status: 'revoked' }
}

export async function declineInvitation(db: Db, { invitation }: DeclineGrant): Promise<OpenInvitation> {
  await db.update(boardInvitations).set({ status: 'declined' }).where(eq(id, invitation.id))
  return { ...invitation, status: 'declined' }
}

/** A removed member must not return through a link mailed to one of their own addresses. */
export const revokeInvitationsBy = (db: Db, { board, memberId }: MemberGrant) =>
  db
    .update(boardInvitations)
    .set({ status: 'revoked' })
    .where(and(pendingOn(board.id), eq(invitedBy, memberId)))

/** Keeps those to a hidden address: ending them would reveal whose it is. */
export async function endInvitationsTo(db: Db, { board }: BoardGrant<'change'> | JoinGrant, to: number): Promise<number[]> {
  const theirs = sql`(user_id = ${to} or
    ${email} = (select email from users where id = ${to} and email_verified_at is not null and show_email))`
  const ended = await db
    .update(boardInvitations)
    .set({ status: 'revoked' })
    .where(and(pendingOn(board.id), theirs))
    .returning({ id })
  return ended.map((row) => row.id)
}

/** Whether an invitation allows a new account, by its link or a vouched-for address; each allows one. */
export async function admitByInvitation(db: Db, by: { token?: string | undefined; email?: string }): Promise<boolean> {
  const named = or(by.token ? eq(token, hashToken(by.token)) : undefined, by.email ? eq(email, by.email) : undefined)
  if (!named) return false
  const [found] = await db
    .select({ id })
    .from(boardInvitations)
    .innerJoin(boards, and(eq(boards.id, boardInvitations.boardId), notDeleted))
    .innerJoin(users, and(eq(users.id, invitedBy), isNull(users.disabledAt)))
    // An invite link would let anyone create accounts.
    .where(and(isValid, eq(admitted, false), not(isOfLink), named))
    .orderBy(asc(id))
    .limit(1)
    .for('update', { of: boardInvitations })
  if (!found) return false
  await db.update(boardInvitations).set({ admitted: true }).where(eq(id, found.id))
  return true
}

/** The insert waits for a rename under way, so the name is read after it. */
export async function acceptInvitation(db: Db, { board, viewer, invitation }: JoinGrant): Promise<UserSummary> {
  if (!isLink(invitation))
    await db
      .update(boardInvitations)
      .set({ status: 'accepted', acceptedAt: sql`now()`, acceptedBy: viewer.id })
      .where(eq(id, invitation.id))
  await db.insert(boardMembers).values({ boardId: board.id, userId: viewer.id })
  await forgetLeaving(db, board.id, viewer.id)
  const user = await findSummary(db, viewer.id)
  if (!user) throw new Error('the account was deleted while it was locked')
  return user
}

export const purgeExpiredInvitations = (db: Db) =>
  db
    .delete(boardInvitations)
    .where(and(ne(status, 'accepted'), sql`${expiresAt} < now() - ${EXPIRED_RETENTION_DAYS} * interval '1 day'`))
