import { and, eq, gt, isNotNull, isNull, lt, ne, not, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/database'
import { firstAccount, magicLinks, oauthAccounts, users } from '../../db/schema'
import { hashToken, newToken } from '../../server/tokens'
import type { OwnUser } from '../../users/schema'
import { ownColumns } from '../../users/server/lookup'
import { isFormerName } from '../../users/server/store'
import { CONFIRM_HOURS, LINK_MINUTES, type LinkPurpose, type Registration } from '../schema'
import type { AddressGrant, EmailChangeGrant, LinkGrant, ProviderGrant } from './grants'
import { findAccount, lockLinks } from './lookup'
import { deleteSessionsOf } from './sessions/store'

type Identity = Pick<Registration, 'username' | 'email' | 'name'>
type Switches = Omit<Registration, keyof Identity | 'remember' | 'password' | 'invitation'>
type NewUser = Identity & Partial<Switches> & { password: string | null; operator?: boolean }

/** Whether the account that this transaction makes, or proves, is the first that there ever was. Of two at once, one is. */
export async function claimInstallation(db: Db, userId = 0): Promise<boolean> {
  const claimed = await db.insert(firstAccount).values({}).onConflictDoNothing().returning()
  if (claimed.length === 0) return false
  const others = and(gt(users.id, 0), ne(users.id, userId), isNotNull(users.emailVerifiedAt))
  return (await db.select({ id: users.id }).from(users).where(others).limit(1)).length === 0
}

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
  if (!(await findAccount(db, DEVELOPER.email))) await createUser(db, { ...DEVELOPER, operator: await claimInstallation(db) })
  const account = await findAccount(db, DEVELOPER.email)
  if (!account) throw new Error('the username "developer" belongs to another account')
  return (await prove(db, account.user)) ?? account.user
}

const isConfirming = eq(magicLinks.purpose, 'confirm')
const isChange = eq(magicLinks.purpose, 'change')

/** `askedBy` is the hash of a cookie of the browser that asked. Ends the older links to the address that are of its kind. */
export async function createLink(
  db: Db,
  email: string,
  purpose: Exclude<LinkPurpose, 'change'>,
  askedBy: string | null = null,
  mailed = true,
): Promise<string> {
  await endLinks(db, email, purpose === 'confirm' ? isConfirming : and(not(isConfirming), not(isChange)))
  return addLink(db, { email, purpose, askedBy, mailed }, purpose === 'confirm' ? CONFIRM_HOURS * 60 : LINK_MINUTES)
}

/** Ends those that somebody asked for before. */
export async function createChangeLink(db: Db, userId: number, email: string): Promise<string> {
  await endChanges(db, userId)
  return addLink(db, { email, userId, purpose: 'change' }, CONFIRM_HOURS * 60)
}

async function addLink(db: Db, link: Omit<typeof magicLinks.$inferInsert, 'token' | 'expiresAt'>, minutes: number) {
  const token = newToken()
  const expiresAt = sql`now() + ${minutes} * interval '1 minute'`
  await db.insert(magicLinks).values({ ...link, token: hashToken(token), expiresAt })
  return token
}

export const endChanges = (db: Db, userId: number) => db.delete(magicLinks).where(eq(magicLinks.userId, userId))

/** Null where somebody else has the address by now. */
export async function changeEmail(db: Db, { user, newEmail }: EmailChangeGrant): Promise<OwnUser | null> {
  await endChanges(db, user.id)
  const taken = await db.select({ id: users.id }).from(users).where(eq(users.email, newEmail))
  if (taken.length > 0) return null
  const [changed] = await db
    .update(users)
    .set({ email: newEmail, emailVerifiedAt: sql`now()` })
    .where(eq(users.id, user.id))
    .returning(ownColumns)
  return changed ?? null
}

export async function endLinks(db: Db, email: string, ofKind?: SQL): Promise<void> {
  await lockLinks(db, email)
  await db.delete(magicLinks).where(and(eq(magicLinks.email, email), ofKind))
}

export async function spendLink(db: Db, { link }: LinkGrant): Promise<void> {
  await db.update(magicLinks).set({ used: true }).where(eq(magicLinks.id, link.id))
}

export const deleteExpiredLinks = (db: Db) => db.delete(magicLinks).where(lt(magicLinks.expiresAt, sql`now()`))

export async function linkAccount(db: Db, { user, provider, subject }: ProviderGrant): Promise<void> {
  await db.insert(oauthAccounts).values({ userId: user.id, provider, subject })
}

async function prove(db: Db, { id }: Pick<OwnUser, 'id'>, changes: { password?: null } = {}): Promise<OwnUser | undefined> {
  const [proven] = await db
    .update(users)
    .set({ ...changes, emailVerifiedAt: sql`now()` })
    .where(and(eq(users.id, id), isNull(users.emailVerifiedAt)))
    .returning(ownColumns)
  if (!proven || !(await claimInstallation(db, id))) return proven
  await db.update(users).set({ operator: true }).where(eq(users.id, id))
  return { ...proven, operator: true }
}

export const markEmailVerified = (db: Db, { user }: AddressGrant): Promise<OwnUser | undefined> => prove(db, user)

/** Returns the sessions that ended, undefined when the address was proven meanwhile. Lock order: links, then the account. */
export async function lockOut(db: Db, { user }: AddressGrant): Promise<string[] | undefined> {
  await endLinks(db, user.email)
  await endChanges(db, user.id)
  return (await prove(db, user, { password: null })) && deleteSessionsOf(db, user.id)
}
