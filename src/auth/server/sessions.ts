import { DrizzlePostgreSQLAdapter } from '@lucia-auth/adapter-drizzle'
import { type Adapter, Cookie, type DatabaseSession, generateIdFromEntropySize, Lucia, TimeSpan } from 'lucia'
import type { Db } from '../../db/database'
import { sessions, users } from '../../db/schema'
import type { Context } from '../../server/context'
import type { Sessions, SignIn } from '../../server/signedIn'
import type { TransactionContext } from '../../server/transaction'
import type { OwnUser } from '../../users/schema'
import { sessionLookup } from './lookup'
import { deleteSession, touchSession } from './store'

declare module 'lucia' {
  interface Register {
    Lucia: Lucia<SessionAttributes, OwnUser>
    UserId: number
    DatabaseSessionAttributes: SessionAttributes
    DatabaseUserAttributes: Omit<OwnUser, 'id'>
  }
}

type SessionAttributes = { createdAt?: Date; userAgent: string | null; mayResetUntil: Date | null; extended?: boolean }

const SESSION_COOKIE = 'session'
const REMEMBERED = new TimeSpan(30, 'd')
const SHORT = new TimeSpan(24, 'h')
const SEEN_PRECISION = new TimeSpan(5, 'm')
const MAX_USER_AGENT = 300

const sessionKey = (sessionId: string) => new Bun.CryptoHasher('sha256').update(sessionId).digest('hex')

// Lucia's own reader throws at a percent sign in any cookie.
const sessionIdIn = (request: Request) => /(?:^|;\s*)session=([a-z0-9]+)/.exec(request.headers.get('cookie') ?? '')?.[1]

const isShort = (sessionId: string) => sessionId.startsWith('b')

/** Hashes session ids; short sessions do not slide. */
class HashedSessions implements Adapter {
  constructor(
    private readonly inner: Adapter,
    private readonly lookup: ReturnType<typeof sessionLookup>,
    private readonly touch: (key: string, expiresAt: Date) => Promise<unknown>,
    private readonly mayChange: () => boolean,
  ) {}

  async getSessionAndUser(sessionId: string): ReturnType<Adapter['getSessionAndUser']> {
    const [found] = await this.lookup.execute({ key: sessionKey(sessionId) })
    if (!found) return [null, null]
    const { session, user } = found
    const { userId, createdAt, userAgent, mayResetUntil } = session
    const isStale = this.mayChange() && session.lastSeenAt < new Date(Date.now() - SEEN_PRECISION.milliseconds())
    const extended = isStale && !isShort(sessionId) && session.expiresAt > new Date()
    const expiresAt = extended ? new Date(Date.now() + REMEMBERED.milliseconds()) : session.expiresAt
    if (isStale) await this.touch(session.id, expiresAt)
    return [
      { id: sessionId, userId, expiresAt, attributes: { createdAt, userAgent, mayResetUntil, extended } },
      { id: user.id, attributes: user },
    ]
  }
  setSession(session: DatabaseSession) {
    const expiresAt = isShort(session.id) ? new Date(Date.now() + SHORT.milliseconds()) : session.expiresAt
    return this.inner.setSession({ ...session, id: sessionKey(session.id), expiresAt })
  }
  async updateSessionExpiration(sessionId: string, expiresAt: Date) {
    if (!isShort(sessionId) && this.mayChange()) await this.inner.updateSessionExpiration(sessionKey(sessionId), expiresAt)
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

const browserName = (userAgent = '') => userAgent.replaceAll('\0', '').toWellFormed().slice(0, MAX_USER_AGENT) || null

export function createSessions(db: Db, secure: () => boolean, mayChange = () => true): Sessions {
  const lookup = sessionLookup(db)
  const luciaOn = (on: Db) => {
    // Lucia's adapter wants Drizzle's tables with string user ids; ours are numbers, which Register above declares.
    const adapter = new DrizzlePostgreSQLAdapter(on as never, sessions as never, users as never)
    return new Lucia(new HashedSessions(adapter, lookup, (key, expiresAt) => touchSession(on, key, expiresAt), mayChange), {
      sessionExpiresIn: REMEMBERED,
      sessionCookie: { name: SESSION_COOKIE },
      getUserAttributes: (user) => user,
      getSessionAttributes: (attributes) => attributes,
    })
  }
  const lucia = luciaOn(db)

  const cookie = (value: string, maxAge?: number) =>
    new Cookie(SESSION_COOKIE, value, {
      httpOnly: true,
      sameSite: 'lax',
      path: '/',
      secure: secure(),
      ...(maxAge !== undefined && { maxAge }),
    }).serialize()
  const cookieFor = (id: string) => cookie(id, isShort(id) ? undefined : REMEMBERED.seconds())

  return {
    async start(userId, { remember, userAgent, mayResetUntil }, on = db) {
      const sessionId = (remember ? 'r' : 'b') + generateIdFromEntropySize(25)
      const attributes = { userAgent: browserName(userAgent), mayResetUntil: mayResetUntil ?? null }
      await luciaOn(on).createSession(userId, attributes, { sessionId })
      return cookieFor(sessionId)
    },

    async find(request) {
      const id = sessionIdIn(request)
      if (!id) return null
      const { session, user } = await lucia.validateSession(id)
      if (!session) return null
      return {
        session: {
          id,
          key: sessionKey(id),
          user,
          createdAt: session.createdAt ?? new Date(0),
          mayResetUntil: session.mayResetUntil,
        },
        ...((session.fresh || session.extended) && !isShort(id) && { renewed: cookieFor(id) }),
      }
    },

    end: (key, on = db) => deleteSession(on, key),

    clearCookie: () => cookie('', 0),

    async expiryOf({ key }) {
      const [found] = await lookup.execute({ key })
      return found && found.session.expiresAt > new Date() ? found.session.expiresAt : null
    },

    deleteExpired: () => lucia.deleteExpiredSessions(),
  }
}

/** Signs in within a transaction, and ends the browser's previous session. */
export async function signIn(
  { services: { sessions }, session, userAgent, headers }: Context,
  userId: number,
  { remember, mayResetUntil }: Omit<SignIn, 'userAgent'>,
  { db, outbox }: Pick<TransactionContext, 'db' | 'outbox'>,
): Promise<void> {
  if (session) {
    await sessions.end(session.key, db)
    outbox.push({ do: 'closeSession', sessionKey: session.key })
  }
  headers.append('Set-Cookie', await sessions.start(userId, { remember, mayResetUntil, userAgent }, db))
}
