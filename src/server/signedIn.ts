import type { Db } from '../db/database'
import { unauthorized } from './errors'

/** The signed-in user; the users domain adds the account's fields by declaration merging. */
export interface SessionUser {
  id: number
  isPro: boolean
}

export type Session = {
  id: string
  key: string
  user: SessionUser
  createdAt: Date
  expiresAt: Date
  remembered: boolean
  mayResetUntil: Date | null
}

/** `operatorActId`: the operator's act that made the link. */
export type SignIn = {
  remember: boolean
  userAgent?: string
  mayResetUntil?: Date | undefined
  operatorActId?: number | null
}

export type Sessions = {
  /** `renewed` are Set-Cookie values, if the session was extended or its cookie renamed. */
  find(request: Request): Promise<{ session: Session; renewed: string[] } | null>
  /** Returns the Set-Cookie value; `on` is a transaction. */
  start(userId: number, how: SignIn, on?: Db): Promise<string>
  end(key: string, on?: Db): Promise<unknown>
  clearCookies(): string[]
  isLive(session: Session): Promise<boolean>
  deleteExpired(): Promise<void>
}

declare const signedIn: unique symbol

/** Proof that someone is signed in. Made by `requireSignedIn`, and by `onBehalfOf` for what runs without a session. */
export type SignedIn = SessionUser & { readonly [signedIn]: true }

/** Only for jobs, commands and operators: `tests/server/structure.test.ts` lists who uses it. */
export const onBehalfOf = <User extends SessionUser>(user: User): User & SignedIn => user as User & SignedIn

export type SignedInSession = Session & { user: SignedIn }

export function requireSignedIn(session: Session | null): SignedInSession {
  if (!session) throw unauthorized()
  return session as SignedInSession
}

declare const granted: unique symbol

/**
 * Proof that a right was checked. Only grants.ts files make grants; stores demand them. A grant to change something holds its
 * board's lock until the transaction ends. A spread keeps the proof: never put other facts into a grant.
 */
export type Granted<Facts, Right extends string> = Facts & { readonly [granted]: { readonly [R in Right]: true } }

export type AnnounceGrant = Granted<{ viewer: SignedIn; board: { id: number } }, 'announce'>
