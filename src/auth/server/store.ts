import { and, eq, gt, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { magicLinks, oauthAccounts, sessions, users } from '../../db/schema'
import type { OwnUser } from '../../users/schema'
import { isFormerName, ownColumns } from '../../users/server/store'
import { LINK_MINUTES, type LinkPurpose, type Registration } from '../schema'

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

/** `isProven` where somebody has shown that the e-mail is theirs. */
type Account = { user: OwnUser; password: string | null; isProven: boolean }

/** An account by its username or e-mail: no username holds an @, every e-mail does. */
export async function findAccount(db: Db, login: string): Promise<Account | undefined> {
  const [row] = await db
    .select({ user: ownColumns, password: users.password, isProven: sql<boolean>`${users.emailVerifiedAt} is not null` })
    .from(users)
    .where(or(eq(users.username, login), eq(users.email, login)))
  return row
}

/** Whether an account's password is still the one that was looked at; it stays so until the transaction ends. */
export async function holdPassword(db: Db, userId: number, password: string): Promise<boolean> {
  const held = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.password, password)))
    .for('no key update')
  return held.length > 0
}

const DEVELOPER = { username: 'developer', email: 'developer@wrk.example', name: 'Developer', password: null }

/** The account of the development login; it has no password, so nobody signs in to it otherwise. */
export async function developer(db: Db): Promise<OwnUser> {
  await createUser(db, DEVELOPER)
  const account = await findAccount(db, DEVELOPER.email)
  if (!account) throw new Error('the username "developer" belongs to another account')
  return account.user
}

/** Finds a session with its user; prepared, for every request asks it. */
export const sessionLookup = (db: Db) =>
  db
    .select({ session: sessions, user: ownColumns })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.id, sql.placeholder('key')))
    .prepare('session')

/** Notes that a session is in use, and when it ends now. */
export const touchSession = (db: Db, key: string, expiresAt: Date) =>
  db.update(sessions).set({ lastSeenAt: sql`now()`, expiresAt }).where(eq(sessions.id, key))

const hashed = (token: string) => new Bun.CryptoHasher('sha256').update(token).digest('hex')

/** Makes a link's token for an address, for 15 minutes; those that it had before end (contract.md, section 2). */
export async function createLink(db: Db, email: string, purpose: LinkPurpose): Promise<string> {
  const token = crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: 'base64url', omitPadding: true })
  await endLinks(db, email)
  await db
    .insert(magicLinks)
    .values({ email, purpose, token: hashed(token), expiresAt: sql`now() + ${LINK_MINUTES} * interval '1 minute'` })
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
    .where(and(eq(magicLinks.token, hashed(token)), eq(magicLinks.used, false), gt(magicLinks.expiresAt, sql`now()`), isNewest))
    .returning({ email: magicLinks.email, purpose: magicLinks.purpose })
  return link
}

export const deleteExpiredLinks = (db: Db) => db.delete(magicLinks).where(lt(magicLinks.expiresAt, sql`now()`))

export const deleteSession = (db: Db, key: string) => db.delete(sessions).where(eq(sessions.id, key))

export type ProviderId = (typeof oauthAccounts.$inferInsert)['provider']

/** Makes sign-ins by providers for one address take turns until the transaction ends. */
export const holdAddress = (db: Db, email: string) => db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${email}, 0))`)

/** The account with which somebody of a provider has signed in before. */
export async function findLinked(db: Db, provider: ProviderId, subject: string): Promise<OwnUser | undefined> {
  const [user] = await db
    .select(ownColumns)
    .from(oauthAccounts)
    .innerJoin(users, eq(users.id, oauthAccounts.userId))
    .where(and(eq(oauthAccounts.provider, provider), eq(oauthAccounts.subject, subject)))
  return user
}

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
