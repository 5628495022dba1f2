import type { Db } from '../db/database'
import { unauthorized } from './errors'

/** The signed-in user; the users domain adds the account's fields by declaration merging. */
export interface SessionUser {
  id: number
  isPro: boolean
}

export type Session = { id: string; key: string; user: SessionUser; createdAt: Date; mayResetUntil: Date | null }

export type SignIn = { remember: boolean; userAgent?: string; mayResetUntil?: Date | undefined }

export type Sessions = {
  /** `renewed` is a Set-Cookie value, given when the session was extended. The board is read with it, for one who reads that. */
  find(request: Request, boardId?: number): Promise<{ session: Session; renewed?: string } | null>
  /** Returns the Set-Cookie value; `on` is a transaction. */
  start(userId: number, how: SignIn, on?: Db): Promise<string>
  end(key: string, on?: Db): Promise<unknown>
  clearCookie(): string
  isLive(session: Session): Promise<boolean>
  deleteExpired(): Promise<void>
}

declare const signedIn: unique symbol

/** Proof that somebody is signed in; only `requireSignedIn` makes it. */
export type SignedIn = SessionUser & { readonly [signedIn]: true }

/** Of whoever has started what goes on without a session, or whom a command names. */
export const onBehalfOf = <User extends SessionUser>(user: User): User & SignedIn => user as User & SignedIn

/** Throws UNAUTHORIZED. */
export function requireSignedIn(session: Session | null): SignedIn {
  if (!session) throw unauthorized()
  return session.user as SignedIn
}
