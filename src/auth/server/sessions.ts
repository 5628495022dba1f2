import { generateIdFromEntropySize, Lucia } from 'lucia'
import { isLoopback } from '../../config'
import type { Db } from '../../db/database'
import { againIfLost } from '../../db/failures'
import type { Context } from '../../server/context'
import { cookieIn, cookieName, ownCookie } from '../../server/cookies'
import { forbidden } from '../../server/errors'
import { note } from '../../server/requests'
import type { Session, Sessions, SignIn } from '../../server/signedIn'
import type { TransactionContext } from '../../server/transaction'
import { ACCOUNT_DISABLED, OFFLINE_DAYS } from '../basics'
import { deviceCookie, noteDevice } from './deviceCookie'
import { findSession, lockEnabled } from './lookup'
import { isShort, REMEMBERED, SessionAdapter, sessionKey } from './sessionAdapter'
import { deleteOldestSessions, deleteSession } from './sessions/store'

const SESSION_COOKIE = 'session'
/** In the id of a session whose cookie had that name from the start. No id without it has a dash. */
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
  /** For one release a session goes on whose cookie has the name of before; any other under that name may be from a sibling's site. */
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
          expiresAt: session.expiresAt,
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

/** Signs in within a transaction, and ends the browser's previous session. Throws FORBIDDEN to who is disabled. */
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
  await noteDevice(ctx, db, userId)
}

const HOUR = 3_600_000

/** Until when a page may show without a connection what it was answered; by whole hours, for it is compared with the last answer. */
export function offlineUntil({ expiresAt }: Session): Date {
  const thisHour = Math.floor(Date.now() / HOUR) * HOUR
  return new Date(Math.min(expiresAt.getTime(), thisHour + OFFLINE_DAYS * 24 * HOUR))
}

/** Elsewhere browsers refuse it, and say so in the console. */
const mayClearSiteData = (origin: string) => origin.startsWith('https:') || isLoopback(new URL(origin).hostname)

/** Of who leaves, nothing stays in the browser: what the page cannot reach is the browser's to clear. Other cookies are no person's. */
export function leaveBrowser({ services: { sessions, origin }, headers }: Context): void {
  for (const cookie of sessions.clearCookies()) headers.append('Set-Cookie', cookie)
  if (mayClearSiteData(origin())) headers.set('Clear-Site-Data', '"cache", "storage"')
}
