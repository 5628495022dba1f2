import { type Adapter, type DatabaseSession, generateIdFromEntropySize, Lucia, TimeSpan } from 'lucia'
import { isLoopback } from '../../config'
import type { Db } from '../../db/database'
import { againIfLost } from '../../db/failures'
import type { Context } from '../../server/context'
import { cookieIn, cookieName, ownCookie } from '../../server/cookies'
import { forbidden } from '../../server/errors'
import { note } from '../../server/requests'
import type { Session, Sessions, SignIn } from '../../server/signedIn'
import type { TransactionContext } from '../../server/transaction'
import type { OwnUser } from '../../users/schema'
import { ACCOUNT_DISABLED, OFFLINE_DAYS } from '../limits'
import { deviceCookie, setDeviceCookie } from './browserCookies'
import { findSession, lockEnabled } from './lookup'
import {
  addSession,
  deleteExpiredSessions,
  deleteOldestSessions,
  deleteSession,
  deleteSessionsOf,
  extendSession,
  type SessionRow,
  sessionsOf,
  touchSession,
} from './sessions.store'

const SESSION_COOKIE = 'session'
/** Marks the ids of sessions whose cookie has always had the new name. No other id has a dash there. */
const HOST_ONLY = '-'
const MAX_USER_AGENT = 300

const browserName = (userAgent = '') => userAgent.replaceAll('\0', '').toWellFormed().slice(0, MAX_USER_AGENT) || null

export function createSessions(db: Db, secure: () => boolean, mayChange = () => true): Sessions {
  const luciaOn = (on: Db) =>
    new Lucia(new SessionAdapter(on, mayChange), {
      sessionExpiresIn: REMEMBERED,
      getUserAttributes: (user) => user,
      getSessionAttributes: (attributes) => attributes,
    })
  const lucia = luciaOn(db)

  const cookieFor = (id: string) => ownCookie(SESSION_COOKIE, id, secure(), isShort(id) ? undefined : REMEMBERED.seconds())
  const clearFormer = () => ownCookie(SESSION_COOKIE, '', false, 0)
  /** For one release, sessions under the cookie's former name still work. A marked id there may come from a sibling site. */
  const formerIdIn = (request: Request) => {
    const id = secure() ? cookieIn(request, SESSION_COOKIE) : undefined
    return id?.startsWith(HOST_ONLY, 1) ? undefined : id
  }
  const renewDevice = (request: Request, userId: number, id: string) =>
    db.transaction((transaction) =>
      deviceCookie(transaction, userId, sessionKey(id), (name) => cookieIn(request, cookieName(name, secure())), secure()),
    )

  return {
    async start(userId, { remember, userAgent, mayResetUntil = null, operatorActId = null }, on = db) {
      const sessionId = (remember ? 'r' : 'b') + (secure() ? HOST_ONLY : '') + generateIdFromEntropySize(25)
      const attributes = { userAgent: browserName(userAgent), mayResetUntil, operatorActId }
      await luciaOn(on).createSession(userId, attributes, { sessionId })
      return cookieFor(sessionId)
    },

    async find(request) {
      const own = cookieIn(request, cookieName(SESSION_COOKIE, secure()))
      const id = own ?? formerIdIn(request)
      if (!id) return null
      const { session, user } = await lucia.validateSession(id)
      if (!session) return null
      note({ user: user.id })
      const isExtended = (session.fresh || session.extended) && !isShort(id)
      return {
        session: {
          id,
          key: sessionKey(id),
          user,
          createdAt: session.createdAt ?? new Date(0),
          // Lucia would treat a short session as a sliding one.
          expiresAt: (isShort(id) && session.endsAt) || session.expiresAt,
          remembered: !isShort(id),
          mayResetUntil: session.mayResetUntil,
        },
        renewed: [
          ...(own === undefined || isExtended ? [cookieFor(id)] : []),
          ...(own === undefined ? [clearFormer()] : []),
          ...(isExtended ? [await renewDevice(request, user.id, id)] : []),
        ],
      }
    },

    end: (key, on = db) => deleteSession(on, key),

    clearCookies: () => [ownCookie(SESSION_COOKIE, '', secure(), 0), ...(secure() ? [clearFormer()] : [])],

    async isLive({ key }) {
      const found = await againIfLost(() => findSession(db, key))
      return found !== undefined && found.session.expiresAt > new Date()
    },

    deleteExpired: () => lucia.deleteExpiredSessions(),
  }
}

/** Signs in within a transaction and ends the browser's previous session. Throws FORBIDDEN if the account is disabled. */
export async function signIn(
  ctx: Context,
  userId: number,
  how: Omit<SignIn, 'userAgent'>,
  { db, outbox }: Pick<TransactionContext, 'db' | 'outbox'>,
): Promise<void> {
  const { session, userAgent, headers } = ctx
  const { sessions } = ctx.services
  if (!(await lockEnabled(db, userId))) throw forbidden(ACCOUNT_DISABLED)
  if (session) {
    await sessions.end(session.key, db)
    outbox.push({ do: 'closeSession', sessionKey: session.key })
  }
  note({ user: userId })
  for (const sessionKey of await deleteOldestSessions(db, userId)) outbox.push({ do: 'closeSession', sessionKey })
  headers.append('Set-Cookie', await sessions.start(userId, { ...how, userAgent }, db))
  await setDeviceCookie(ctx, db, userId)
}

const HOUR = 3_600_000

/** Until when a page may show stored data offline; in whole hours, because answers are compared. */
export function offlineUntil({ expiresAt }: Session): Date {
  const thisHour = Math.floor(Date.now() / HOUR) * HOUR
  return new Date(Math.min(expiresAt.getTime(), thisHour + OFFLINE_DAYS * 24 * HOUR))
}

/** On other origins browsers refuse it and log an error. */
const mayClearSiteData = (origin: string) => origin.startsWith('https:') || isLoopback(new URL(origin).hostname)

/** Signing out leaves nothing in the browser; it clears what the page cannot reach. Other cookies are not personal. */
export function clearBrowser({ services: { sessions, origin }, headers }: Context): void {
  for (const cookie of sessions.clearCookies()) headers.append('Set-Cookie', cookie)
  if (mayClearSiteData(origin())) headers.set('Clear-Site-Data', '"cache", "storage"')
}

declare module 'lucia' {
  interface Register {
    Lucia: Lucia<SessionAttributes, OwnUser>
    UserId: number
    DatabaseSessionAttributes: SessionAttributes
    DatabaseUserAttributes: Omit<OwnUser, 'id'>
  }
}

type SessionAttributes = {
  endsAt?: Date
  createdAt?: Date
  userAgent: string | null
  mayResetUntil: Date | null
  operatorActId: number | null
  extended?: boolean
}

const REMEMBERED = new TimeSpan(30, 'd')
const SHORT = new TimeSpan(24, 'h')
const SEEN_PRECISION = new TimeSpan(5, 'm')

const sessionKey = (sessionId: string) => Bun.SHA256.hash(sessionId, 'hex')

const isShort = (sessionId: string) => sessionId.startsWith('b')

/** Hashes session ids for Lucia; short sessions do not slide. */
class SessionAdapter implements Adapter {
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
): DatabaseSession => ({
  id,
  userId,
  expiresAt,
  attributes: { endsAt: expiresAt, createdAt, userAgent, mayResetUntil, operatorActId, extended },
})
