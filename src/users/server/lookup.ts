import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/database'
import { users } from '../../db/schema'
import { type OwnUser, summaryOf, type UserSummary } from '../schema'

declare module '../../server/signedIn' {
  interface SessionUser extends OwnUser {}
}

export const summaryColumns = { id: true, username: true, name: true, avatar: true } as const

export const summaryJson = sql.raw(
  `json_build_object(${Object.keys(summaryColumns)
    .map((column) => `'${column}', users.${column}`)
    .join(', ')})`,
)

export const ownColumns = {
  ...summaryOf(users),
  email: users.email,
  emailVerified: sql<boolean>`${users.emailVerifiedAt} is not null`,
  description: users.description,
  isPro: users.isPro,
  emailNotifications: users.emailNotifications,
  notifyTaskAssigned: users.notifyTaskAssigned,
  notifyTaskCommented: users.notifyTaskCommented,
  notifyBoardUpdated: users.notifyBoardUpdated,
  notifyTimeEntries: users.notifyTimeEntries,
  showEmail: users.showEmail,
}

/** Only by an address that is proven: any other may be somebody else's. */
export const findByEmail = (db: Db, email: string): Promise<UserSummary | undefined> =>
  db.query.users.findFirst({ where: and(eq(users.email, email), isNotNull(users.emailVerifiedAt)), columns: summaryColumns })

export const findByUsername = (db: Db, username: string): Promise<UserSummary | undefined> =>
  db.query.users.findFirst({ where: eq(users.username, username), columns: summaryColumns })

export async function findByUnsubscribeToken(db: Db, token: string): Promise<number | undefined> {
  const [row] = await db.select({ id: users.id }).from(users).where(eq(users.unsubscribeToken, token))
  return row?.id
}

/** After its boards' locks; false when it is gone. */
export async function lockAccount(db: Db, userId: number): Promise<boolean> {
  const locked = await db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
  return locked.length > 0
}
