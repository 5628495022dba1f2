import { type Adapter, type DatabaseSession, type Lucia, TimeSpan } from 'lucia'
import type { Db } from '../../db/database'
import { againIfLost } from '../../db/failures'
import type { OwnUser } from '../../users/schema'
import { findSession } from './lookup'
import {
  addSession,
  deleteExpiredSessions,
  deleteSession,
  deleteSessionsOf,
  extendSession,
  type SessionRow,
  sessionsOf,
  touchSession,
} from './sessions/store'

declare module 'lucia' {
  interface Register {
    Lucia: Lucia<SessionAttributes, OwnUser>
    UserId: number
    DatabaseSessionAttributes: SessionAttributes
    DatabaseUserAttributes: Omit<OwnUser, 'id'>
  }
}

type SessionAttributes = {
  createdAt?: Date
  userAgent: string | null
  mayResetUntil: Date | null
  operatorActId: number | null
  extended?: boolean
}

export const REMEMBERED = new TimeSpan(30, 'd')
const SHORT = new TimeSpan(24, 'h')
const SEEN_PRECISION = new TimeSpan(5, 'm')

export const sessionKey = (sessionId: string) => Bun.SHA256.hash(sessionId, 'hex')

export const isShort = (sessionId: string) => sessionId.startsWith('b')

/** Lucia's way to the sessions: hashes their ids; short ones do not slide. */
export class SessionAdapter implements Adapter {
  constructor(
    private readonly db: Db,
    private readonly mayChange: () => boolean,
  ) {}

  async getSessionAndUser(sessionId: string): ReturnType<Adapter['getSessionAndUser']> {
    const found = await againIfLost(() => findSession(this.db, sessionKey(sessionId)))
    if (!found) return [null, null]
    const { session, user } = found
    const isStale = session.lastSeenAt < new Date(Date.now() - SEEN_PRECISION.milliseconds()) && this.mayChange()
    const extended = isStale && !isShort(sessionId) && session.expiresAt > new Date()
    const expiresAt = extended ? new Date(Date.now() + REMEMBERED.milliseconds()) : session.expiresAt
    if (isStale) await touchSession(this.db, session.id, expiresAt)
    return [toDatabaseSession({ ...session, id: sessionId, expiresAt }, extended), { id: user.id, attributes: user }]
  }

  async getUserSessions(userId: number): Promise<DatabaseSession[]> {
    return (await sessionsOf(this.db, userId)).map((row) => toDatabaseSession(row))
  }

  setSession({ id, userId, attributes, ...session }: DatabaseSession): Promise<void> {
    const expiresAt = isShort(id) ? new Date(Date.now() + SHORT.milliseconds()) : session.expiresAt
    return addSession(this.db, { ...attributes, id: sessionKey(id), userId, expiresAt })
  }

  async updateSessionExpiration(sessionId: string, expiresAt: Date): Promise<void> {
    if (!isShort(sessionId) && this.mayChange()) await extendSession(this.db, sessionKey(sessionId), expiresAt)
  }

  deleteSession(sessionId: string): Promise<void> {
    return deleteSession(this.db, sessionKey(sessionId))
  }

  async deleteUserSessions(userId: number): Promise<void> {
    await deleteSessionsOf(this.db, userId)
  }

  deleteExpiredSessions(): Promise<void> {
    return deleteExpiredSessions(this.db)
  }
}

const toDatabaseSession = (
  { id, userId, expiresAt, createdAt, userAgent, mayResetUntil, operatorActId }: SessionRow,
  extended = false,
): DatabaseSession => ({ id, userId, expiresAt, attributes: { createdAt, userAgent, mayResetUntil, operatorActId, extended } })
