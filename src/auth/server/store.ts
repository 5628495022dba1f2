import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { magicLinks, oauthAccounts, sessions, users } from '../../db/schema'
import { hashToken, newToken } from '../../server/tokens'
import type { OwnUser } from '../../users/schema'
import { ownColumns } from '../../users/server/lookup'
import { isFormerName } from '../../users/server/store'
import { LINK_MINUTES, type LinkPurpose, type Registration } from '../schema'
import { findAccount, type ProviderId } from './lookup'

type Facts = Pick<Registration, 'username' | 'email' | 'name'>
/** Which mails they get is the columns' default, where it is not said. */
type NewUser = Facts & Partial<Omit<Registration, keyof Facts | 'remember' | 'password'>> & { password: string | null }

/** Creates an account, or says what of it someone else has: unique constraints decide, so races cannot. */
export async function createUser(db: Db, given: NewUser): Promise<OwnUser | { taken: 'email' | 'username' }> {
  const [user] = await db
    .insert(users)
    .values({ ...given, name: given.name || null })
    .onConflictDoNothing()
    .returning(ownColumns)
  // Asked after the name was taken: whoever just gave it up has noted it down by now.
  const isKept = user && (await isFormerName(db, given.username))
  if (user && !isKept) return user
  if (isKept) await db.delete(users).where(eq(users.id, user.id))
  const sameEmail = await db.select({ id: users.id }).from(users).where(eq(users.email, given.email))
  return { taken: sameEmail.length > 0 ? 'email' : 'username' }
}

const DEVELOPER = { username: 'developer', email: 'developer@wrk.example', name: 'Developer', password: null }

/** The account of the development login; it has no password, so nobody signs in to it otherwise. */
export async function developer(db: Db): Promise<OwnUser> {
  await createUser(db, DEVELOPER)
  const account = await findAccount(db, DEVELOPER.email)
  if (!account) throw new Error('the username "developer" belongs to another account')
  return account.user
}

/** Notes that a session is in use, and when it ends now. */
export const touchSession = (db: Db, key: string, expiresAt: Date) =>
  db.update(sessions).set({ lastSeenAt: sql`now()`, expiresAt }).where(eq(sessions.id, key))

/** Makes a link's token for an address, for 15 minutes; those that it had before end. */
export async function createLink(db: Db, email: string, purpose: LinkPurpose): Promise<string> {
  const token = newToken()
  await endLinks(db, email)
  await db
    .insert(magicLinks)
    .values({ email, purpose, token: hashToken(token), expiresAt: sql`now() + ${LINK_MINUTES} * interval '1 minute'` })
  return token
}

/** Ends all links that were sent to an address. */
export const endLinks = (db: Db, email: string) => db.delete(magicLinks).where(eq(magicLinks.email, email))

/** Simultaneous requests make several; only the last of them is valid. */
const isNewest = sql`not exists (
  select 1 from magic_links newer where newer.email = ${magicLinks.email} and newer.id > ${magicLinks.id})`

/** Uses a link up; undefined where it was used, has expired, or never was. The row's lock lets only one in. */
export async function takeLink(db: Db, token: string): Promise<{ email: string; purpose: LinkPurpose } | undefined> {
  const [link] = await db
    .update(magicLinks)
    .set({ used: true })
    .where(
      and(eq(magicLinks.token, hashToken(token)), eq(magicLinks.used, false), gt(magicLinks.expiresAt, sql`now()`), isNewest),
    )
    .returning({ email: magicLinks.email, purpose: magicLinks.purpose })
  return link
}

export const deleteExpiredLinks = (db: Db) => db.delete(magicLinks).where(lt(magicLinks.expiresAt, sql`now()`))

export const deleteSession = (db: Db, key: string) => db.delete(sessions).where(eq(sessions.id, key))

export const linkAccount = (db: Db, userId: number, provider: ProviderId, subject: string) =>
  db.insert(oauthAccounts).values({ userId, provider, subject })

const unproven = (userId: number) => and(eq(users.id, userId), isNull(users.emailVerifiedAt))

/** Notes that an account's address is its owner's. */
export const proveAddress = (db: Db, userId: number) =>
  db.update(users).set({ emailVerifiedAt: sql`now()` }).where(unproven(userId))

/**
 * Takes an account from whoever made it with an address that is not theirs; answers the sessions that ended, undefined
 * where its address was proven meanwhile. Links are held before accounts, as by whoever uses one.
 */
export async function lockOut(db: Db, { id, email }: { id: number; email: string }): Promise<string[] | undefined> {
  await endLinks(db, email)
  const taken = await db
    .update(users)
    .set({ password: null, emailVerifiedAt: sql`now()` })
    .where(unproven(id))
    .returning({ id: users.id })
  if (taken.length === 0) return undefined
  const ended = await db.delete(sessions).where(eq(sessions.userId, id)).returning({ key: sessions.id })
  return ended.map(({ key }) => key)
}
