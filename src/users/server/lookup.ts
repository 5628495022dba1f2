import { and, eq, gt, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/database'
import { users } from '../../db/tables'
import { type OwnUser, summaryOf, type UserSummary } from '../schema'

declare module '../../server/signedIn' {
  interface SessionUser extends OwnUser {}
}

export const summaryJson = sql.raw(
  `json_build_object(${Object.keys(summaryOf(users))
    .map((column) => `'${column}', users.${column}`)
    .join(', ')})`,
)

/** Everyone has it on a server without plans. */
export const hasPro = sql<boolean>`(${users.isPro} or not coalesce((select has_plans from installation limit 1), true))`

export const ownColumns = {
  ...summaryOf(users),
  email: users.email,
  emailVerified: sql<boolean>`${users.emailVerifiedAt} is not null`,
  description: users.description,
  isPro: hasPro,
  emailNotifications: users.emailNotifications,
  notifyTaskAssigned: users.notifyTaskAssigned,
  notifyTaskCommented: users.notifyTaskCommented,
  notifyBoardUpdated: users.notifyBoardUpdated,
  notifyTimeEntries: users.notifyTimeEntries,
  showEmail: users.showEmail,
  weekStartsOn: users.weekStartsOn,
  operator: users.operator,
}

/** Not an imported name without an account. */
export const hasAccount = isNull(users.importedOn)

export async function findOwn(db: Db, userId: number): Promise<OwnUser | undefined> {
  const [user] = await db.select(ownColumns).from(users).where(eq(users.id, userId))
  return user
}

/** A hidden email is shown only to its owner. */
export const showsEmailTo = (viewer: { id: number }) => or(users.showEmail, eq(users.id, viewer.id))

/** Only by a proven, visible address: any other may be someone else's. */
export const findByEmail = (db: Db, viewer: { id: number }, email: string): Promise<UserSummary | undefined> =>
  findUser(db, and(eq(users.email, email), isNotNull(users.emailVerifiedAt), showsEmailTo(viewer)))

export const findByUsername = (db: Db, username: string): Promise<UserSummary | undefined> =>
  findUser(db, eq(users.username, username))

export const findSummary = (db: Db, userId: number): Promise<UserSummary | undefined> => findUser(db, eq(users.id, userId))

async function findUser(db: Db, where: SQL | undefined): Promise<UserSummary | undefined> {
  const [user] = await db.select(summaryOf(users)).from(users).where(where)
  return user
}

export async function findByUnsubscribeToken(db: Db, token: string): Promise<number | undefined> {
  const [row] = await db.select({ id: users.id }).from(users).where(eq(users.unsubscribeToken, token))
  return row?.id
}

/** Taken before row locks; ensures that one operator remains. */
export const lockOperators = (db: Db) => db.execute(sql`select pg_advisory_xact_lock(hashtextextended('operators', 0))`)

const operates = and(sql`${users.operator}`, isNull(users.disabledAt))

export const hasOperator = async (db: Db): Promise<boolean> =>
  (await db.select({ id: users.id }).from(users).where(operates).limit(1)).length > 0

export async function isOnlyOperator(db: Db, userId: number): Promise<boolean> {
  const able = await db.select({ id: users.id }).from(users).where(operates)
  return able.length === 1 && able[0]?.id === userId
}

export async function isAlone(db: Db, userId: number): Promise<boolean> {
  const others = and(gt(users.id, 0), ne(users.id, userId), hasAccount)
  return (await db.select({ id: users.id }).from(users).where(others).limit(1)).length === 0
}

/** After its boards' locks; false if it is gone, or was deleted. */
export async function lockAccount(db: Db, userId: number, strength: 'update' | 'no key update' = 'update'): Promise<boolean> {
  const locked = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), hasAccount))
    .for(strength)
  return locked.length > 0
}

export const storedName = (name: string) => `avatar-${name}`

export const AVATARS = '/uploads/avatars'
