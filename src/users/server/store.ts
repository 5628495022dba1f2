import { and, count, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Db } from '../../db/database'
import { formerUsernames, users } from '../../db/tables'
import { conflict, isDuplicate, Refusal, unauthorized } from '../../server/errors'
import type { SignedIn } from '../../server/signedIn'
import {
  applyMasterSwitch,
  FORMER_DAYS,
  FORMER_MAX,
  type NotificationChanges,
  type OwnUser,
  type Profile,
  type ProfileChanges,
  summaryOf,
  TOO_MANY_NAMES,
  USERNAME_TAKEN,
} from '../schema'
import type { ProfileGrant, UnsubscribeGrant } from './grants'
import { findOwn, ownColumns, showsEmailTo } from './lookup'

const isReserved = gt(formerUsernames.until, sql`now()`)

export async function findProfile(db: Db, viewer: SignedIn, username: string): Promise<Profile | undefined> {
  const owners = unionAll(
    db.select({ id: users.id }).from(users).where(eq(users.username, username)),
    db
      .select({ id: formerUsernames.userId })
      .from(formerUsernames)
      .where(and(eq(formerUsernames.username, username), isReserved)),
  )
  const [row] = await db
    .select({
      ...summaryOf(users),
      email: sql<string | null>`case when ${showsEmailTo(viewer)} then ${users.email} end`,
      emailVerified: sql<boolean>`${users.emailVerifiedAt} is not null`,
      description: users.description,
    })
    .from(users)
    .where(inArray(users.id, owners))
  return row
}

export type GivenProfile = ProfileChanges & { avatar?: string }

/** `shown`: boards show the change. Throws CONFLICT, TOO_MANY_REQUESTS. */
export async function updateProfile(db: Db, { viewer }: ProfileGrant, given: GivenProfile) {
  const before = await readOwn(db, viewer.id)
  const changes = Object.fromEntries(Object.entries(applyMasterSwitch(given)).filter(([, value]) => value !== undefined))
  if (Object.keys(changes).length === 0) return { user: before, shown: false }
  const [user] = await db.update(users).set(changes).where(eq(users.id, viewer.id)).returning(ownColumns).catch(refuseTaken)
  if (!user) throw new Error('the account was deleted while it was locked')
  if (user.username !== before.username) await reserveFormerName(db, user, before.username)
  const shown = (['username', 'name', 'avatar'] as const).some((field) => user[field] !== before[field])
  return { user, shown }
}

async function readOwn(db: Db, userId: number): Promise<OwnUser> {
  const user = await findOwn(db, userId)
  if (!user) throw unauthorized()
  return user
}

// The unique index decides, so races cannot.
function refuseTaken(error: unknown): never {
  throw isDuplicate(error) ? conflict(USERNAME_TAKEN) : error
}

async function reserveFormerName(db: Db, { id, username }: OwnUser, former: string) {
  await db.delete(formerUsernames).where(and(eq(formerUsernames.username, username), eq(formerUsernames.userId, id)))
  // After the update, which waits for a rename that is giving the name up.
  if (await isFormerName(db, username)) throw conflict(USERNAME_TAKEN)
  const own = and(eq(formerUsernames.userId, id), isReserved)
  const [total] = await db.select({ names: count() }).from(formerUsernames).where(own)
  if ((total?.names ?? 0) >= FORMER_MAX) throw new Refusal('TOO_MANY_REQUESTS', TOO_MANY_NAMES)
  const row = { userId: id, until: sql<Date>`now() + ${FORMER_DAYS} * interval '1 day'` }
  await db
    .insert(formerUsernames)
    .values({ username: former, ...row })
    .onConflictDoUpdate({ target: formerUsernames.username, set: row })
}

export const isFormerName = async (db: Db, username: string): Promise<boolean> =>
  (await db.$count(formerUsernames, and(eq(formerUsernames.username, username), isReserved))) > 0

export const forgetFormerNames = (db: Db) => db.delete(formerUsernames).where(lte(formerUsernames.until, sql`now()`))

export async function setNotifications(
  db: Db,
  { id: userId }: SignedIn | UnsubscribeGrant,
  given: NotificationChanges,
): Promise<OwnUser> {
  const changes = applyMasterSwitch(given)
  if (Object.values(changes).every((value) => value === undefined)) return readOwn(db, userId)
  const [user] = await db.update(users).set(changes).where(eq(users.id, userId)).returning(ownColumns)
  if (!user) throw unauthorized()
  return user
}

/** A user without an account: its username and address hold a capital, which typed ones never do. */
export function userWithoutAccount(importedOn: number, name: string) {
  const username = `Name-${crypto.getRandomValues(Buffer.alloc(8)).toString('hex')}`
  const own = { username, email: `${username}@imported.invalid`, name, importedOn }
  return { ...own, disabledAt: new Date(), emailNotifications: false, showEmail: false }
}
