import { desc, eq, inArray, lte, sql } from 'drizzle-orm'
import type { Db } from '../../db/database'
import { sessions, users } from '../../db/tables'

export type SessionRow = typeof sessions.$inferSelect
export type NewSession = Pick<SessionRow, 'id' | 'userId' | 'expiresAt' | 'userAgent' | 'mayResetUntil' | 'operatorActId'>

export async function addSession(db: Db, session: NewSession): Promise<void> {
  const { id, userId, expiresAt, userAgent, mayResetUntil, operatorActId } = session
  await db.insert(sessions).values({ id, userId, expiresAt, userAgent, mayResetUntil, operatorActId })
}

export const sessionsOf = (db: Db, userId: number): Promise<SessionRow[]> =>
  db.select().from(sessions).where(eq(sessions.userId, userId))

export async function touchSession(db: Db, key: string, expiresAt: Date): Promise<void> {
  await db.update(sessions).set({ lastSeenAt: sql`now()`, expiresAt }).where(eq(sessions.id, key))
}

export async function extendSession(db: Db, key: string, expiresAt: Date): Promise<void> {
  await db.update(sessions).set({ expiresAt }).where(eq(sessions.id, key))
}

export async function deleteSession(db: Db, key: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, key))
}

/** A stolen device cookie must lose its own budget. */
export async function forgetDevices(db: Db, userId: number): Promise<void> {
  await db
    .update(users)
    .set({ deviceEpoch: sql`${users.deviceEpoch} + 1` })
    .where(eq(users.id, userId))
}

export async function deleteSessionsOf(db: Db, userId: number): Promise<string[]> {
  await forgetDevices(db, userId)
  const ended = await db.delete(sessions).where(eq(sessions.userId, userId)).returning({ key: sessions.id })
  return ended.map(({ key }) => key)
}

/** Each sign-in adds a row. */
const SESSIONS_MAX = 100

export async function deleteOldestSessions(db: Db, userId: number): Promise<string[]> {
  const beyond = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.createdAt), sessions.id)
    .offset(SESSIONS_MAX - 1)
  const ended = await db.delete(sessions).where(inArray(sessions.id, beyond)).returning({ key: sessions.id })
  return ended.map(({ key }) => key)
}

export async function deleteExpiredSessions(db: Db): Promise<void> {
  await db.delete(sessions).where(lte(sessions.expiresAt, sql`now()`))
}
