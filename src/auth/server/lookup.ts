import { and, asc, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { Config } from '../../config'
import type { Db } from '../../db/database'
import { builtOnce } from '../../db/statements'
import { firstAccount, installation, magicLinks, oauthAccounts, operatorActs, sessions, users } from '../../db/tables'
import { hashToken } from '../../server/tokens'
import type { OwnUser } from '../../users/schema'
import { hasOperator, ownColumns } from '../../users/server/lookup'

type Account = { user: OwnUser; password: string | null; deviceEpoch: number }
const accountColumns = { user: ownColumns, password: users.password, deviceEpoch: users.deviceEpoch }

/** By username or email: no username contains an @, every email does. */
export async function findAccount(db: Db, login: string): Promise<Account | undefined> {
  const [row] = await db
    .select(accountColumns)
    .from(users)
    .where(or(eq(users.username, login), eq(users.email, login)))
  return row
}

export async function deviceEpochOf(db: Db, userId: number): Promise<number> {
  const [row] = await db.select({ deviceEpoch: users.deviceEpoch }).from(users).where(eq(users.id, userId))
  return row?.deviceEpoch ?? 0
}

export async function findAccountOf(db: Db, { userId, email }: MailedLink): Promise<Account | undefined> {
  if (userId === null) return findAccount(db, email)
  const [row] = await db.select(accountColumns).from(users).where(eq(users.id, userId))
  return row
}

/** Whether an operator made the link for this account: its address may be another account's by now. */
export const isMadeFor = async (db: Db, { operatorActId }: MailedLink, userId: number): Promise<boolean> =>
  (await db.$count(operatorActs, and(eq(operatorActs.id, operatorActId ?? 0), eq(operatorActs.userId, userId)))) > 0

export type MailedLink = Pick<
  typeof magicLinks.$inferSelect,
  'id' | 'email' | 'purpose' | 'userId' | 'askedBy' | 'mailed' | 'operatorActId'
>

/** Locks in the order of ids, against deadlocks. */
export const lockLinks = (db: Db, email: string) =>
  db.select({ id: magicLinks.id }).from(magicLinks).where(eq(magicLinks.email, email)).orderBy(asc(magicLinks.id)).for('update')

/** Simultaneous requests insert several links of a kind; only the newest works. */
const isNewest = sql`not exists (
  select 1 from magic_links newer where newer.email = ${magicLinks.email} and newer.id > ${magicLinks.id}
  and (newer.purpose = 'confirm') = (${magicLinks.purpose} = 'confirm')
  and newer.user_id is not distinct from ${magicLinks.userId})
  and not exists (select 1 from magic_links newer where newer.user_id = ${magicLinks.userId} and newer.id > ${magicLinks.id})`

/** Undefined if used, expired or unknown; else locks all links to its address, so that only one works. */
export async function lockLink(db: Db, token: string): Promise<MailedLink | undefined> {
  const isIt = eq(magicLinks.token, hashToken(token))
  const [known] = await db
    .select({ email: magicLinks.email, present: users.email })
    .from(magicLinks)
    .leftJoin(users, eq(users.id, magicLinks.userId))
    .where(isIt)
  if (!known) return undefined
  // For a change: the links to the current address first, as in `lockOut`.
  if (known.present) await lockLinks(db, known.present)
  await lockLinks(db, known.email)
  const { id, email, purpose, userId, askedBy, mailed, operatorActId } = magicLinks
  const isValid = and(isIt, eq(magicLinks.used, false), gt(magicLinks.expiresAt, sql`now()`), isNewest)
  const [link] = await db.select({ id, email, purpose, userId, askedBy, mailed, operatorActId }).from(magicLinks).where(isValid)
  return link
}

export async function lockPassword(db: Db, userId: number, password: string): Promise<boolean> {
  const locked = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.password, password)))
    .for('no key update')
  return locked.length > 0
}

export async function lockEnabled(db: Db, userId: number): Promise<boolean> {
  const [row] = await db.select({ disabledAt: users.disabledAt }).from(users).where(eq(users.id, userId)).for('share')
  return row?.disabledAt === null
}

/** Whether this is OPERATOR_EMAIL and there is no operator: its account becomes the operator once proven. */
export const becomesOperator = async (db: Db, { operatorEmail }: Config, email: string): Promise<boolean> =>
  email === operatorEmail && !(await hasOperator(db))

export const isClaimed = async (db: Db): Promise<boolean> => (await db.select().from(firstAccount)).length > 0

export async function isSetupToken(db: Db, token: string): Promise<boolean> {
  const isIt = eq(installation.setupToken, hashToken(token))
  const found = await db.select({ id: installation.id }).from(installation).where(isIt)
  return found.length > 0 && !(await hasOperator(db))
}

const sessionByKey = builtOnce((db) =>
  db
    .select({ session: sessions, user: ownColumns })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, sql.placeholder('key')), isNull(users.disabledAt)))
    .prepare('session_by_key'),
)

export async function findSession(db: Db, key: string) {
  const [found] = await sessionByKey(db).execute({ key })
  return found
}

export type ProviderId = (typeof oauthAccounts.$inferInsert)['provider']

/** Serializes provider sign-ins for one address. */
export const lockAddress = (db: Db, email: string) => db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${email}, 0))`)

export async function findLinked(db: Db, provider: ProviderId, subject: string) {
  const [linked] = await db
    .select({ user: ownColumns, linkedAt: oauthAccounts.createdAt })
    .from(oauthAccounts)
    .innerJoin(users, eq(users.id, oauthAccounts.userId))
    .where(and(eq(oauthAccounts.provider, provider), eq(oauthAccounts.subject, subject)))
  return linked
}
