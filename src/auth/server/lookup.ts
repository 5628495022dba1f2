import { and, eq, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/database'
import { oauthAccounts, sessions, users } from '../../db/schema'
import type { OwnUser } from '../../users/schema'
import { ownColumns } from '../../users/server/lookup'

type Account = { user: OwnUser; password: string | null; isProven: boolean }

/** By username or e-mail: no username holds an @, every e-mail does. */
export async function findAccount(db: Db, login: string): Promise<Account | undefined> {
  const [row] = await db
    .select({ user: ownColumns, password: users.password, isProven: sql<boolean>`${users.emailVerifiedAt} is not null` })
    .from(users)
    .where(or(eq(users.username, login), eq(users.email, login)))
  return row
}

/** Whether the password is still this one; locked until the transaction ends. */
export async function lockPassword(db: Db, userId: number, password: string): Promise<boolean> {
  const locked = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.password, password)))
    .for('no key update')
  return locked.length > 0
}

/** Prepared: building this SQL costs more than sending it, and every request runs it. */
export const sessionLookup = (db: Db) =>
  db
    .select({ session: sessions, user: ownColumns })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.id, sql.placeholder('key')))
    .prepare('session')

export type ProviderId = (typeof oauthAccounts.$inferInsert)['provider']

/** Serializes provider sign-ins for one address until the transaction ends. */
export const lockAddress = (db: Db, email: string) => db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${email}, 0))`)

export async function findLinked(db: Db, provider: ProviderId, subject: string): Promise<OwnUser | undefined> {
  const [user] = await db
    .select(ownColumns)
    .from(oauthAccounts)
    .innerJoin(users, eq(users.id, oauthAccounts.userId))
    .where(and(eq(oauthAccounts.provider, provider), eq(oauthAccounts.subject, subject)))
  return user
}
