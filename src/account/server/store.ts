import { and, asc, count, desc, eq, gt, ne, sql } from 'drizzle-orm'
import type { Db } from '../../db/database'
import { boardMembers, boards, mails, sessions, users } from '../../db/schema'
import type { Session, SignedIn } from '../../server/signedIn'
import type { AccountDeletionGrant } from './grants'

export async function passwordOf(db: Db, { id: userId }: SignedIn): Promise<string | null> {
  const [row] = await db.select({ password: users.password }).from(users).where(eq(users.id, userId))
  return row?.password ?? null
}

export const setPassword = (db: Db, { id: userId }: SignedIn, password: string) =>
  db.update(users).set({ password }).where(eq(users.id, userId))

export const listSessions = (db: Db, { id: userId }: SignedIn) =>
  db
    .select({
      id: sessions.id,
      userAgent: sessions.userAgent,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(desc(sessions.lastSeenAt), asc(sessions.id))

export async function endOwnSession(db: Db, { id: userId }: SignedIn, key: string): Promise<boolean> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.id, key)))
    .returning({ id: sessions.id })
  return ended.length > 0
}

export async function endOtherSessions(db: Db, { id: userId }: SignedIn, { key }: Session): Promise<string[]> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), ne(sessions.id, key)))
    .returning({ id: sessions.id })
  return ended.map(({ id }) => id)
}

/** A reset link sets one password; false when not allowed, or used already. */
export async function consumeReset(db: Db, { key }: Session): Promise<boolean> {
  const taken = await db
    .update(sessions)
    .set({ mayResetUntil: null })
    .where(and(eq(sessions.id, key), gt(sessions.mayResetUntil, sql`now()`)))
    .returning({ id: sessions.id })
  return taken.length > 0
}

export const createdBoards = (db: Db, { id: userId }: SignedIn) =>
  db
    .select({ id: boards.id, name: boards.name, others: sql<number>`${count(boardMembers.id)}::int - 1` })
    .from(boards)
    .innerJoin(boardMembers, eq(boardMembers.boardId, boards.id))
    .where(eq(boards.createdBy, userId))
    .groupBy(boards.id)
    .orderBy(asc(boards.id))

/** The rest cascades: see the references in db/schema.ts. */
export async function deleteAccount(db: Db, { viewer: { id, email } }: AccountDeletionGrant): Promise<void> {
  await db.delete(mails).where(eq(mails.recipient, email))
  await db.delete(boards).where(eq(boards.createdBy, id))
  await db.delete(users).where(eq(users.id, id))
}
