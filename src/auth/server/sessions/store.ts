import { eq, lte, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database'
import { sessions } from '../../../db/schema'

export type SessionRow = typeof sessions.$inferSelect
export type NewSession = Pick<SessionRow, 'id' | 'userId' | 'expiresAt' | 'userAgent' | 'mayResetUntil'>

export async function addSession(db: Db, { id, userId, expiresAt, userAgent, mayResetUntil }: NewSession): Promise<void> {
  await db.insert(sessions).values({ id, userId, expiresAt, userAgent, mayResetUntil })
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

export async function deleteSessionsOf(db: Db, userId: number): Promise<string[]> {
  const ended = await db.delete(sessions).where(eq(sessions.userId, userId)).returning({ key: sessions.id })
  return ended.map(({ key }) => key)
}

export async function deleteExpiredSessions(db: Db): Promise<void> {
  await db.delete(sessions).where(lte(sessions.expiresAt, sql`now()`))
}
