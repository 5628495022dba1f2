import { and, desc, eq, gt, isNotNull, isNull, lt, lte, ne, not, type SQL, sql } from 'drizzle-orm'
import type { Config } from '../../config'
import type { Db } from '../../db/database'
import { installationId } from '../../db/installation'
import { firstAccount, installation, magicLinks, oauthAccounts, operatorActs, users } from '../../db/tables'
import { conflict } from '../../server/errors'
import { hashToken, newToken } from '../../server/tokens'
import { normalizeUsername, type OwnUser, username } from '../../users/schema'
import { hasOperator, ownColumns } from '../../users/server/lookup'
import { isFormerName } from '../../users/server/store'
import { CONFIRM_HOURS, LINK_MINUTES, type LinkPurpose, type Registration } from '../schema'
import type { AddressGrant, EmailChangeGrant, LinkGrant, ProviderGrant, SetupGrant } from './grants'
import { becomesOperator, findAccount, lockLinks } from './lookup'
import { deleteSessionsOf } from './sessions.store'
import { isFirstOperator } from './signUpRules'

type Identity = Pick<Registration, 'username' | 'email' | 'name'>
type Switches = Omit<Registration, keyof Identity | 'remember' | 'password' | 'invitation' | 'setup'>
type NewUser = Identity & Partial<Switches> & { password: string | null; operator?: boolean }

/** Whether the account made or proven in this transaction is the first ever, and so the operator; of two at once, only one is. */
export async function claimInstallation(db: Db, config: Config, userId = 0): Promise<boolean> {
  if (!isFirstOperator(config)) return false
  const claimed = await db.insert(firstAccount).values({}).onConflictDoNothing().returning()
  if (claimed.length === 0 || (await hasOperator(db))) return false
  const others = and(gt(users.id, 0), ne(users.id, userId), isNotNull(users.emailVerifiedAt))
  return (await db.select({ id: users.id }).from(users).where(others).limit(1)).length === 0
}

/** Unique constraints decide what is taken, so that races cannot. */
export async function createUser(db: Db, given: NewUser): Promise<OwnUser | { taken: 'email' | 'username' }> {
  const [user] = await db
    .insert(users)
    .values({ ...given, name: given.name || null })
    .onConflictDoNothing()
    .returning(ownColumns)
  // After the insert, which waits for a rename that is giving the name up.
  const isReserved = user && (await isFormerName(db, given.username))
  if (user && !isReserved) return user
  if (isReserved) await db.delete(users).where(eq(users.id, user.id))
  // The name first: trying a taken name must not reveal whether an address has an account.
  const sameName = await db.select({ id: users.id }).from(users).where(eq(users.username, given.username))
  return { taken: isReserved || sameName.length > 0 ? 'username' : 'email' }
}

/** Without a password; the username is made from the address. Throws CONFLICT. */
export async function createFromAddress(db: Db, given: Omit<NewUser, 'username' | 'password'>): Promise<OwnUser> {
  for (const candidate of usernamesFrom(given.email)) {
    const user = await createUser(db, { ...given, username: candidate, password: null })
    if (!('taken' in user)) return user
    if (user.taken === 'email') throw conflict('Email already in use')
  }
  throw new Error('every name was taken')
}

const MAX_NAMES = 30

function* usernamesFrom(email: string) {
  const local = normalizeUsername(email.split(/[@+]/)[0] ?? '')
    .replace(/[^a-z0-9._-]/g, '')
    .replace(/^[._-]+/, '')
    .slice(0, 22)
  for (let i = 1; i <= MAX_NAMES; i++) {
    const candidate = username.safeParse(i === 1 ? local : `${local || 'user'}${i}`)
    if (candidate.success) yield candidate.data
  }
  yield `${local || 'user'}${crypto.randomUUID().slice(0, 6)}`
}

const DEVELOPER = { username: 'developer', email: 'developer@wrk.example', name: 'Developer', password: null }

export async function findOrCreateDeveloper(db: Db, config: Config): Promise<OwnUser> {
  if (!(await findAccount(db, DEVELOPER.email)))
    await createUser(db, { ...DEVELOPER, operator: await claimInstallation(db, config) })
  const account = await findAccount(db, DEVELOPER.email)
  if (!account) throw new Error('the username "developer" belongs to another account')
  return (await prove(db, config, account.user)) ?? account.user
}

const isConfirming = eq(magicLinks.purpose, 'confirm')
const isChange = eq(magicLinks.purpose, 'change')

type MadeFor = { askedBy?: string; operatorActId?: number; mailed?: boolean }

/** `askedBy` identifies the browser that asked. Ends older links of its kind to the address. */
export async function createLink(
  db: Db,
  email: string,
  purpose: Exclude<LinkPurpose, 'change'>,
  made: MadeFor = {},
): Promise<string> {
  await endLinks(db, email, purpose === 'confirm' ? isConfirming : and(not(isConfirming), not(isChange)))
  return insertLink(db, { email, purpose, ...made }, purpose === 'confirm' ? CONFIRM_HOURS * 60 : LINK_MINUTES)
}

export async function createChangeLink(db: Db, userId: number, email: string): Promise<string> {
  await endChanges(db, userId)
  return insertLink(db, { email, userId, purpose: 'change' }, CONFIRM_HOURS * 60)
}

async function insertLink(db: Db, link: Omit<typeof magicLinks.$inferInsert, 'token' | 'expiresAt'>, minutes: number) {
  const token = newToken()
  const expiresAt = sql`now() + ${minutes} * interval '1 minute'`
  await db.insert(magicLinks).values({ ...link, token: hashToken(token), expiresAt })
  return token
}

export const endChanges = (db: Db, userId: number) => db.delete(magicLinks).where(eq(magicLinks.userId, userId))

export async function changeEmail(db: Db, config: Config, { user, newEmail }: EmailChangeGrant): Promise<OwnUser | null> {
  await endChanges(db, user.id)
  // A link meant for this account must not sign in to the next owner of the old address.
  await endLinks(db, user.email)
  const taken = await db.select({ id: users.id }).from(users).where(eq(users.email, newEmail))
  if (taken.length > 0) return null
  const [changed] = await db
    .update(users)
    .set({ email: newEmail, emailVerifiedAt: sql`now()` })
    .where(eq(users.id, user.id))
    .returning(ownColumns)
  return changed ? appoint(db, config, changed) : null
}

export async function endLinks(db: Db, email: string, ofKind?: SQL): Promise<void> {
  await lockLinks(db, email)
  await db.delete(magicLinks).where(and(eq(magicLinks.email, email), ofKind))
}

export async function spendLink(db: Db, { link }: LinkGrant): Promise<void> {
  await db.update(magicLinks).set({ used: true }).where(eq(magicLinks.id, link.id))
}

/** If an operator made the link or set the email, notes its use for the owner to see. */
export async function noteLinkUse(db: Db, { user, link }: LinkGrant): Promise<number | null> {
  if (link.operatorActId === null) return noteEmailUse(db, user)
  const [made] = await db.select({ by: operatorActs.by }).from(operatorActs).where(eq(operatorActs.id, link.operatorActId))
  return noteUse(db, user, 'link_used', made?.by ?? null)
}

/** For a sign-in that proves only the email: notes it if an operator set that email, or any email before `linkedAt`. */
export async function noteEmailUse(db: Db, user: Pick<OwnUser, 'id' | 'email'>, linkedAt?: Date): Promise<number | null> {
  const isGiven = and(
    eq(operatorActs.userId, user.id),
    eq(operatorActs.did, 'changed_email'),
    linkedAt ? lte(operatorActs.createdAt, linkedAt) : eq(operatorActs.email, user.email),
  )
  const [given] = await db
    .select({ by: operatorActs.by })
    .from(operatorActs)
    .where(isGiven)
    .orderBy(desc(operatorActs.id))
    .limit(1)
  return given ? noteUse(db, user, 'email_used', given.by) : null
}

async function noteUse(db: Db, { id }: Pick<OwnUser, 'id'>, did: 'link_used' | 'email_used', by: string | null) {
  const [noted] = await db.insert(operatorActs).values({ userId: id, did, by }).returning({ id: operatorActs.id })
  return noted?.id ?? null
}

export const deleteExpiredLinks = (db: Db) => db.delete(magicLinks).where(lt(magicLinks.expiresAt, sql`now()`))

export async function linkAccount(db: Db, { user, provider, subject }: ProviderGrant): Promise<void> {
  await db.insert(oauthAccounts).values({ userId: user.id, provider, subject })
}

async function prove(
  db: Db,
  config: Config,
  { id, email }: Pick<OwnUser, 'id' | 'email'>,
  changes: { password?: null } = {},
): Promise<OwnUser | undefined> {
  const [proven] = await db
    .update(users)
    .set({ ...changes, emailVerifiedAt: sql`now()` })
    // The address may have changed since it was read.
    .where(and(eq(users.id, id), eq(users.email, email), isNull(users.emailVerifiedAt)))
    .returning(ownColumns)
  return proven && appoint(db, config, proven)
}

/** Makes a newly proven account the operator if it has OPERATOR_EMAIL, or is the first, and there is none. */
async function appoint(db: Db, config: Config, user: OwnUser): Promise<OwnUser> {
  const isMeant = config.operatorEmail
    ? await becomesOperator(db, config, user.email)
    : await claimInstallation(db, config, user.id)
  return isMeant ? makeOperator(db, user) : user
}

async function makeOperator(db: Db, { id }: Pick<OwnUser, 'id'>): Promise<OwnUser> {
  const [made] = await db.update(users).set({ operator: true }).where(eq(users.id, id)).returning(ownColumns)
  if (!made) throw new Error('the account was deleted while it was being made the operator')
  return made
}

/** For an account that had proven OPERATOR_EMAIL before it was set. */
export async function appointProven(db: Db, operatorEmail: string): Promise<OwnUser | undefined> {
  if (await hasOperator(db)) return undefined
  const isProven = and(eq(users.email, operatorEmail), isNotNull(users.emailVerifiedAt), isNull(users.disabledAt))
  const [made] = await db.update(users).set({ operator: true }).where(isProven).returning(ownColumns)
  return made
}

export async function becomeOperator(db: Db, { user }: SetupGrant): Promise<OwnUser> {
  await endSetup(db)
  return makeOperator(db, user)
}

export async function createSetupToken(db: Db): Promise<string> {
  const token = newToken()
  const isOurs = eq(installation.id, await installationId(db))
  await db
    .update(installation)
    .set({ setupToken: hashToken(token) })
    .where(isOurs)
  return token
}

export const endSetup = (db: Db) => db.update(installation).set({ setupToken: null }).where(isNotNull(installation.setupToken))

export const markEmailVerified = (db: Db, config: Config, { user }: AddressGrant): Promise<OwnUser | undefined> =>
  prove(db, config, user)

export const unlinkProviders = (db: Db, { id }: Pick<OwnUser, 'id'>) =>
  db.delete(oauthAccounts).where(eq(oauthAccounts.userId, id))

/** Returns the sessions that ended; undefined if the address was proven meanwhile. Lock order: links, then the account. */
export async function lockOut(db: Db, config: Config, { user }: AddressGrant): Promise<string[] | undefined> {
  await endLinks(db, user.email)
  await endChanges(db, user.id)
  if (!(await prove(db, config, user, { password: null }))) return undefined
  await unlinkProviders(db, user)
  return deleteSessionsOf(db, user.id)
}
