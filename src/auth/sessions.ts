import { DrizzlePostgreSQLAdapter } from '@lucia-auth/adapter-drizzle'
import { type Adapter, Cookie, type DatabaseSession, generateIdFromEntropySize, Lucia, TimeSpan } from 'lucia'
import type { Db } from '../db/client'
import { sessions, users } from '../db/schema'
import type { OwnUser } from '../users/inputs'
import { sessionLookup } from './store'

declare module 'lucia' {
  interface Register {
    Lucia: Lucia<Record<never, never>, OwnUser>
    UserId: number
    DatabaseUserAttributes: Omit<OwnUser, 'id'>
  }
}

const SESSION_COOKIE = 'session'
const REMEMBERED = new TimeSpan(30, 'd')
const BRIEF = new TimeSpan(24, 'h')

/** What the database knows a session by: what the cookie holds cannot be read back from it. */
const sessionKey = (sessionId: string) => new Bun.CryptoHasher('sha256').update(sessionId).digest('hex')

// Lucia's own reader throws at a percent sign in any cookie, whoever set it.
const heldBy = (request: Request) => /(?:^|;\s*)session=([a-z0-9]+)/.exec(request.headers.get('cookie') ?? '')?.[1]

const isBrief = (sessionId: string) => sessionId.startsWith('b')

/** Lucia's adapter, with session ids hashed on the way in and brief sessions that do not slide. */
class HashedSessions implements Adapter {
  constructor(
    private readonly inner: Adapter,
    private readonly lookup: ReturnType<typeof sessionLookup>,
  ) {}

  async getSessionAndUser(sessionId: string): ReturnType<Adapter['getSessionAndUser']> {
    const [found] = await this.lookup.execute({ key: sessionKey(sessionId) })
    if (!found) return [null, null]
    const { session, user } = found
    return [
      { ...session, id: sessionId, attributes: {} },
      { id: user.id, attributes: user },
    ]
  }
  setSession(session: DatabaseSession) {
    const expiresAt = isBrief(session.id) ? new Date(Date.now() + BRIEF.milliseconds()) : session.expiresAt
    return this.inner.setSession({ ...session, id: sessionKey(session.id), expiresAt })
  }
  async updateSessionExpiration(sessionId: string, expiresAt: Date) {
    if (!isBrief(sessionId)) await this.inner.updateSessionExpiration(sessionKey(sessionId), expiresAt)
  }
  deleteSession(sessionId: string) {
    return this.inner.deleteSession(sessionKey(sessionId))
  }
  getUserSessions(userId: number) {
    return this.inner.getUserSessions(userId)
  }
  deleteUserSessions(userId: number) {
    return this.inner.deleteUserSessions(userId)
  }
  deleteExpiredSessions() {
    return this.inner.deleteExpiredSessions()
  }
}

/** A signed-in browser: `key` names its session to the database and to the live channel. */
export type Session = { id: string; key: string; user: OwnUser }
export type Sessions = ReturnType<typeof createSessions>

/** Sessions over Lucia (contract.md, section 2). `secure` marks cookies for https only. */
export function createSessions(db: Db, secure: () => boolean) {
  // Lucia's adapter wants Drizzle's tables with string user ids; ours are numbers, which Register above declares.
  const adapter = new DrizzlePostgreSQLAdapter(db as never, sessions as never, users as never)
  const lookup = sessionLookup(db)
  const lucia = new Lucia(new HashedSessions(adapter, lookup), {
    sessionExpiresIn: REMEMBERED,
    sessionCookie: { name: SESSION_COOKIE },
    getUserAttributes: (user) => user,
  })

  const cookie = (value: string, maxAge?: number) =>
    new Cookie(SESSION_COOKIE, value, {
      httpOnly: true,
      sameSite: 'lax',
      path: '/',
      secure: secure(),
      ...(maxAge !== undefined && { maxAge }),
    }).serialize()
  const cookieFor = (id: string) => cookie(id, isBrief(id) ? undefined : REMEMBERED.seconds())

  return {
    /** Signs a user in; answers the Set-Cookie value. */
    async start(userId: number, remember: boolean): Promise<string> {
      const sessionId = (remember ? 'r' : 'b') + generateIdFromEntropySize(25)
      await lucia.createSession(userId, {}, { sessionId })
      return cookieFor(sessionId)
    },

    /** The session that a request carries, and a Set-Cookie value when its time was extended. */
    async find(request: Request): Promise<{ session: Session; renewed?: string } | null> {
      const id = heldBy(request)
      if (!id) return null
      const { session, user } = await lucia.validateSession(id)
      if (!session) return null
      return {
        session: { id, key: sessionKey(id), user },
        ...(session.fresh && !isBrief(id) && { renewed: cookieFor(id) }),
      }
    },

    /** Signs a session out; answers the Set-Cookie value that clears the cookie. */
    async end(session: Session): Promise<string> {
      await lucia.invalidateSession(session.id)
      return cookie('', 0)
    },

    /** When a session that was found before ends, without extending it; null where it has ended. */
    async endOf({ key }: Session): Promise<Date | null> {
      const [found] = await lookup.execute({ key })
      return found && found.session.expiresAt > new Date() ? found.session.expiresAt : null
    },

    deleteExpired: () => lucia.deleteExpiredSessions(),
  }
}
