import { DrizzlePostgreSQLAdapter } from '@lucia-auth/adapter-drizzle'
import { type Adapter, Cookie, type DatabaseSession, generateIdFromEntropySize, Lucia, TimeSpan } from 'lucia'
import type { Db } from '../../db/client'
import { sessions, users } from '../../db/schema'
import type { Context } from '../../server/context'
import type { Sessions, SignIn } from '../../server/session'
import type { TransactionContext } from '../../server/transaction'
import type { OwnUser } from '../../users/schema'
import { sessionLookup } from './lookup'
import { deleteSession, touchSession } from './store'

declare module 'lucia' {
  interface Register {
    Lucia: Lucia<SessionFacts, OwnUser>
    UserId: number
    DatabaseSessionAttributes: SessionFacts
    DatabaseUserAttributes: Omit<OwnUser, 'id'>
  }
}

type SessionFacts = { createdAt?: Date; userAgent: string | null; mayResetUntil: Date | null; slid?: boolean }

const SESSION_COOKIE = 'session'
const REMEMBERED = new TimeSpan(30, 'd')
const BRIEF = new TimeSpan(24, 'h')
/** Precision of lastSeenAt, so that reading rarely writes. */
const SEEN_EVERY = new TimeSpan(5, 'm')
const LONGEST_USER_AGENT = 300

const sessionKey = (sessionId: string) => new Bun.CryptoHasher('sha256').update(sessionId).digest('hex')

// Lucia's own reader throws at a percent sign in any cookie.
const heldBy = (request: Request) => /(?:^|;\s*)session=([a-z0-9]+)/.exec(request.headers.get('cookie') ?? '')?.[1]

const isBrief = (sessionId: string) => sessionId.startsWith('b')

/** Hashes session ids; short sessions do not slide. */
class HashedSessions implements Adapter {
  constructor(
    private readonly inner: Adapter,
    private readonly lookup: ReturnType<typeof sessionLookup>,
    private readonly seen: (key: string, expiresAt: Date) => Promise<unknown>,
  ) {}

  async getSessionAndUser(sessionId: string): ReturnType<Adapter['getSessionAndUser']> {
    const [found] = await this.lookup.execute({ key: sessionKey(sessionId) })
    if (!found) return [null, null]
    const { session, user } = found
    const { userId, createdAt, userAgent, mayResetUntil } = session
    const unseen = session.lastSeenAt < new Date(Date.now() - SEEN_EVERY.milliseconds())
    const slid = unseen && !isBrief(sessionId) && session.expiresAt > new Date()
    const expiresAt = slid ? new Date(Date.now() + REMEMBERED.milliseconds()) : session.expiresAt
    if (unseen) await this.seen(session.id, expiresAt)
    return [
      { id: sessionId, userId, expiresAt, attributes: { createdAt, userAgent, mayResetUntil, slid } },
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

const nameOf = (userAgent = '') => userAgent.replaceAll('\0', '').toWellFormed().slice(0, LONGEST_USER_AGENT) || null

/** `secure` marks cookies for https only. */
export function createSessions(db: Db, secure: () => boolean): Sessions {
  const lookup = sessionLookup(db)
  const luciaOn = (on: Db) => {
    // Lucia's adapter wants Drizzle's tables with string user ids; ours are numbers, which Register above declares.
    const adapter = new DrizzlePostgreSQLAdapter(on as never, sessions as never, users as never)
    return new Lucia(new HashedSessions(adapter, lookup, (key, expiresAt) => touchSession(on, key, expiresAt)), {
      sessionExpiresIn: REMEMBERED,
      sessionCookie: { name: SESSION_COOKIE },
      getUserAttributes: (user) => user,
      getSessionAttributes: (facts) => facts,
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
  const cookieFor = (id: string) => cookie(id, isBrief(id) ? undefined : REMEMBERED.seconds())

  return {
    async start(userId, { remember, userAgent, mayResetUntil }, on = db) {
      const sessionId = (remember ? 'r' : 'b') + generateIdFromEntropySize(25)
      const facts = { userAgent: nameOf(userAgent), mayResetUntil: mayResetUntil ?? null }
      await luciaOn(on).createSession(userId, facts, { sessionId })
      return cookieFor(sessionId)
    },

    async find(request) {
      const id = heldBy(request)
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
        ...((session.fresh || session.slid) && !isBrief(id) && { renewed: cookieFor(id) }),
      }
    },

    endKey: (key, on = db) => deleteSession(on, key),

    cleared: () => cookie('', 0),

    async endOf({ key }) {
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
    await sessions.endKey(session.key, db)
    outbox.push({ do: 'closeSession', sessionKey: session.key })
  }
  headers.append('Set-Cookie', await sessions.start(userId, { remember, mayResetUntil, userAgent }, db))
}
