import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import type { Db } from '../../db/database'
import { magicLinks, oauthAccounts, users } from '../../db/schema'
import { hashToken, newToken } from '../../server/tokens'
import type { OwnUser } from '../../users/schema'
import { ownColumns } from '../../users/server/lookup'
import { isFormerName } from '../../users/server/store'
import { LINK_MINUTES, type LinkPurpose, type Registration } from '../schema'
import { findAccount, type ProviderId } from './lookup'
import { deleteSessionsOf } from './sessions/store'

type Identity = Pick<Registration, 'username' | 'email' | 'name'>
type NewUser = Identity & Partial<Omit<Registration, keyof Identity | 'remember' | 'password'>> & { password: string | null }

/** Answers which field is taken: unique constraints decide, so races cannot. */
export async function createUser(db: Db, given: NewUser): Promise<OwnUser | { taken: 'email' | 'username' }> {
  const [user] = await db
    .insert(users)
    .values({ ...given, name: given.name || null })
    .onConflictDoNothing()
    .returning(ownColumns)
  // Checked after the insert: only then is the row of somebody giving the name up visible.
  const isReserved = user && (await isFormerName(db, given.username))
  if (user && !isReserved) return user
  if (isReserved) await db.delete(users).where(eq(users.id, user.id))
  const sameEmail = await db.select({ id: users.id }).from(users).where(eq(users.email, given.email))
  return { taken: sameEmail.length > 0 ? 'email' : 'username' }
}

const DEVELOPER = { username: 'developer', email: 'developer@wrk.example', name: 'Developer', password: null }

export async function findOrCreateDeveloper(db: Db): Promise<OwnUser> {
  await createUser(db, DEVELOPER)
  const account = await findAccount(db, DEVELOPER.email)
  if (!account) throw new Error('the username "developer" belongs to another account')
  return account.user
}

export async function createLink(db: Db, email: string, purpose: LinkPurpose): Promise<string> {
  const token = newToken()
  await endLinks(db, email)
  await db
    .insert(magicLinks)
    .values({ email, purpose, token: hashToken(token), expiresAt: sql`now() + ${LINK_MINUTES} * interval '1 minute'` })
  return token
}

export const endLinks = (db: Db, email: string) => db.delete(magicLinks).where(eq(magicLinks.email, email))

/** Simultaneous requests insert several links; only the newest works. */
const isNewest = sql`not exists (
  select 1 from magic_links newer where newer.email = ${magicLinks.email} and newer.id > ${magicLinks.id})`

/** Undefined when used, expired or unknown. The row's lock lets only one in. */
export async function consumeLink(db: Db, token: string): Promise<{ email: string; purpose: LinkPurpose } | undefined> {
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

export const linkAccount = (db: Db, userId: number, provider: ProviderId, subject: string) =>
  db.insert(oauthAccounts).values({ userId, provider, subject })

const unproven = (userId: number) => and(eq(users.id, userId), isNull(users.emailVerifiedAt))

export const markEmailVerified = (db: Db, userId: number) =>
  db.update(users).set({ emailVerifiedAt: sql`now()` }).where(unproven(userId))

/** Returns the sessions that ended, undefined when the address was proven meanwhile. Lock order: links, then the account. */
export async function lockOut(db: Db, { id, email }: { id: number; email: string }): Promise<string[] | undefined> {
  await endLinks(db, email)
  const taken = await db
    .update(users)
    .set({ password: null, emailVerifiedAt: sql`now()` })
    .where(unproven(id))
    .returning({ id: users.id })
  if (taken.length === 0) return undefined
  return deleteSessionsOf(db, id)
}
