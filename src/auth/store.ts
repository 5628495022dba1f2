import { eq, or, sql } from 'drizzle-orm'
import type { Db } from '../db/client'
import { sessions, users } from '../db/schema'
import type { OwnUser } from '../users/inputs'
import type { Registration } from './inputs'

const ownColumns = {
  id: users.id,
  username: users.username,
  name: users.name,
  avatar: users.avatar,
  email: users.email,
  description: users.description,
  isPro: users.isPro,
  emailNotifications: users.emailNotifications,
  notifyTaskAssigned: users.notifyTaskAssigned,
  notifyTaskCommented: users.notifyTaskCommented,
  notifyBoardUpdated: users.notifyBoardUpdated,
  notifyTimeEntries: users.notifyTimeEntries,
}

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
  if (user) return user
  const sameEmail = await db.select({ id: users.id }).from(users).where(eq(users.email, given.email))
  return { taken: sameEmail.length > 0 ? 'email' : 'username' }
}

/** An account by its username or e-mail: no username holds an @, every e-mail does. */
export async function findAccount(db: Db, login: string): Promise<{ user: OwnUser; password: string | null } | undefined> {
  const [row] = await db
    .select({ user: ownColumns, password: users.password })
    .from(users)
    .where(or(eq(users.username, login), eq(users.email, login)))
  return row
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
