import type { Db } from '../db/client'
import { unauthorized } from './errors'

/** Who is signed in, as far as every call knows; the users domain adds an account's fields by declaration merging. */
export interface SessionUser {
  id: number
  isPro: boolean
}

/** A signed-in browser: `key` names its session to the database and to the live channel. */
export type Session = { id: string; key: string; user: SessionUser; createdAt: Date; mayResetUntil: Date | null }

/** How one signs in: `remember` outlives the browser, `mayResetUntil` comes with a reset link. */
export type SignIn = { remember: boolean; userAgent?: string; mayResetUntil?: Date | undefined }

export type Sessions = {
  /** The session that a request carries, and a Set-Cookie value when its time was extended. */
  find(request: Request): Promise<{ session: Session; renewed?: string } | null>
  /** Signs a user in, in the transaction `on` where there is one; answers the Set-Cookie value. */
  start(userId: number, how: SignIn, on?: Db): Promise<string>
  /** Ends a session, in the transaction `on` where there is one. */
  endKey(key: string, on?: Db): Promise<unknown>
  /** The Set-Cookie value that clears the cookie. */
  cleared(): string
  /** When a session that was found before ends, without extending it; null where it has ended. */
  endOf(session: Session): Promise<Date | null>
  deleteExpired(): Promise<void>
}

declare const signedIn: unique symbol

/** Proof that somebody is signed in. Grants and the stores of one's own data demand it; only `requireSignedIn` makes it. */
export type SignedIn = SessionUser & { readonly [signedIn]: true }

/** Throws UNAUTHORIZED without a session. */
export function requireSignedIn(session: Session | null): SignedIn {
  if (!session) throw unauthorized()
  return session.user as SignedIn
}
