import { Cookie, generateIdFromEntropySize, Lucia } from 'lucia'
import type { Db } from '../../db/database'
import { againIfLost } from '../../db/failures'
import type { Context } from '../../server/context'
import { cookieIn } from '../../server/cookies'
import { forbidden } from '../../server/errors'
import { note } from '../../server/requests'
import type { Sessions, SignIn } from '../../server/signedIn'
import type { TransactionContext } from '../../server/transaction'
import { ACCOUNT_DISABLED } from '../basics'
import { findSession, lockEnabled } from './lookup'
import { isShort, REMEMBERED, SessionAdapter, sessionKey } from './sessionAdapter'
import { deleteSession } from './sessions/store'

const SESSION_COOKIE = 'session'
const MAX_USER_AGENT = 300

const browserName = (userAgent = '') => userAgent.replaceAll('\0', '').toWellFormed().slice(0, MAX_USER_AGENT) || null

export function createSessions(db: Db, secure: () => boolean, mayChange = () => true): Sessions {
  const luciaOn = (on: Db, boardId?: number) =>
    new Lucia(new SessionAdapter(on, mayChange, boardId), {
      sessionExpiresIn: REMEMBERED,
      sessionCookie: { name: SESSION_COOKIE },
      getUserAttributes: (user) => user,
      getSessionAttributes: (attributes) => attributes,
    })
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

    async find(request, boardId) {
      const id = cookieIn(request, SESSION_COOKIE)
      if (!id) return null
      const { session, user } = await (boardId === undefined ? lucia : luciaOn(db, boardId)).validateSession(id)
      if (!session) return null
      note({ user: user.id })
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

    async isLive({ key }) {
      const [found] = await againIfLost(() => findSession(db, { key }))
      return found !== undefined && found.session.expiresAt > new Date()
    },

    deleteExpired: () => lucia.deleteExpiredSessions(),
  }
}

/** Signs in within a transaction, and ends the browser's previous session. Throws FORBIDDEN to who is disabled. */
export async function signIn(
  { services: { sessions }, session, userAgent, headers }: Context,
  userId: number,
  { remember, mayResetUntil }: Omit<SignIn, 'userAgent'>,
  { db, outbox }: Pick<TransactionContext, 'db' | 'outbox'>,
): Promise<void> {
  if (!(await lockEnabled(db, userId))) throw forbidden(ACCOUNT_DISABLED)
  if (session) {
    await sessions.end(session.key, db)
    outbox.push({ do: 'closeSession', sessionKey: session.key })
  }
  note({ user: userId })
  headers.append('Set-Cookie', await sessions.start(userId, { remember, mayResetUntil, userAgent }, db))
}
