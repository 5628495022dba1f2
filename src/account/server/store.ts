import { and, asc, count, desc, eq, gt, inArray, isNotNull, ne, not, sql } from 'drizzle-orm'
import { notDeleted } from '../../boards/server/lookup'
import { handOverBoard } from '../../boards/server/store'
import type { Db } from '../../db/database'
import { boardMembers, boards, mails, sessions, users } from '../../db/schema'
import type { Session, SignedIn } from '../../server/signedIn'
import type { UserSummary } from '../../users/schema'
import { hasAccount, summaryJson } from '../../users/server/lookup'
import type { AccountDeletionGrant } from './grants'

export async function passwordOf(db: Db, { id: userId }: SignedIn): Promise<string | null> {
  const [row] = await db.select({ password: users.password }).from(users).where(eq(users.id, userId))
  return row?.password ?? null
}

export const setPassword = (db: Db, { id: userId }: SignedIn, password: string) =>
  db.update(users).set({ password }).where(eq(users.id, userId))

export const listSessions = (db: Db, { id: userId }: SignedIn) =>
  db
    .select({
      id: sessions.id,
      userAgent: sessions.userAgent,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(desc(sessions.lastSeenAt), asc(sessions.id))

export async function endOwnSession(db: Db, { id: userId }: SignedIn, key: string): Promise<boolean> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.id, key)))
    .returning({ id: sessions.id })
  return ended.length > 0
}

export async function endOtherSessions(db: Db, { id: userId }: SignedIn, { key }: Session): Promise<string[]> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), ne(sessions.id, key)))
    .returning({ id: sessions.id })
  return ended.map(({ id }) => id)
}

/** A reset link sets one password; false when not allowed, or used already. */
export async function consumeReset(db: Db, { key }: Session): Promise<boolean> {
  const taken = await db
    .update(sessions)
    .set({ mayResetUntil: null })
    .where(and(eq(sessions.id, key), gt(sessions.mayResetUntil, sql`now()`)))
    .returning({ id: sessions.id })
  return taken.length > 0
}

const isOfAccount = sql`exists (select 1 from users worker where worker.id = time_entries.user_id and worker.imported_on is null)`

export const createdBoards = (db: Db, { id: userId }: SignedIn) =>
  db
    .select({
      id: boards.id,
      name: boards.name,
      others: sql<number>`${count(boardMembers.id)}::int - 1`,
      members: sql<UserSummary[]>`coalesce(
        json_agg(${summaryJson} order by ${boardMembers.id}) filter (where ${users.id} <> ${userId}), '[]')`,
      minutes: sql<number>`(
        select coalesce(sum(duration_minutes), 0)::float8
        from time_entries join tasks on tasks.id = task_id and tasks.deleted_at is null
        where time_entries.board_id = ${boards.id} and user_id <> ${userId} and ${isOfAccount})`,
    })
    .from(boards)
    .innerJoin(boardMembers, eq(boardMembers.boardId, boards.id))
    .innerJoin(users, and(eq(users.id, boardMembers.userId), hasAccount))
    .where(and(eq(boards.createdBy, userId), notDeleted))
    .groupBy(boards.id)
    .orderBy(asc(boards.id))

type Received = { email: string; boards: { id: number; name: string }[] }

/** Returns who gets which boards, of those whose address is proven. */
export async function handOverBoards(db: Db, { handOver }: AccountDeletionGrant): Promise<Received[]> {
  for (const one of handOver) await handOverBoard(db, one)
  const handed = handOver.map(({ board }) => board.id)
  return db
    .select({
      email: users.email,
      boards: sql<
        Received['boards']
      >`json_agg(json_build_object('id', ${boards.id}, 'name', ${boards.name}) order by ${boards.id})`,
    })
    .from(boards)
    .innerJoin(users, eq(users.id, boards.createdBy))
    .where(and(inArray(boards.id, handed), isNotNull(users.emailVerifiedAt)))
    .groupBy(users.id)
}

/** The rest cascades: see the references in db/schema.ts. Deleted boards with others' hours stay, with nobody as creator. */
export async function deleteAccount(db: Db, { viewer: { id, email, emailVerified } }: AccountDeletionGrant): Promise<void> {
  // To an address that is not proven mails of its true owner may wait.
  if (emailVerified) await db.delete(mails).where(eq(mails.recipient, email))
  const hasHours = sql`exists (
    select 1 from time_entries where board_id = ${boards.id} and user_id <> ${id} and duration_minutes > 0 and ${isOfAccount})`
  await db.delete(boards).where(and(eq(boards.createdBy, id), not(hasHours)))
  await db.delete(users).where(eq(users.id, id))
}
