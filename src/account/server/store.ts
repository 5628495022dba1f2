import { and, asc, count, desc, eq, gt, lt, ne, sql } from 'drizzle-orm'
import { forgetDevices } from '../../auth/server/sessions.store'
import { notDeleted } from '../../boards/server/lookup'
import type { Db } from '../../db/database'
import { boardMembers, boards, operatorActs, sessions, users } from '../../db/tables'
import type { Session, SignedIn } from '../../server/signedIn'
import type { UserSummary } from '../../users/schema'
import { hasAccount, summaryJson } from '../../users/server/lookup'
import { OPERATOR_ACT_DAYS } from '../schema'

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
      operatorActId: sessions.operatorActId,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(desc(sessions.lastSeenAt), asc(sessions.id))

export const listOperatorActs = (db: Db, { id: userId }: SignedIn) => {
  const { id, did, by, createdAt } = operatorActs
  return db.select({ id, did, by, createdAt }).from(operatorActs).where(eq(operatorActs.userId, userId)).orderBy(desc(id))
}

export const forgetOperatorActs = (db: Db) =>
  db
    .delete(operatorActs)
    .where(
      and(
        lt(operatorActs.createdAt, sql`now() - ${OPERATOR_ACT_DAYS} * interval '1 day'`),
        sql`not exists (select from sessions where operator_act_id = ${operatorActs.id})`,
      ),
    )

export async function endOwnSession(db: Db, { id: userId }: SignedIn, key: string): Promise<boolean> {
  await forgetDevices(db, userId)
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.id, key)))
    .returning({ id: sessions.id })
  return ended.length > 0
}

export async function endOtherSessions(db: Db, { id: userId }: SignedIn, { key }: Session): Promise<string[]> {
  await forgetDevices(db, userId)
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), ne(sessions.id, key)))
    .returning({ id: sessions.id })
  return ended.map(({ id }) => id)
}

/** A reset link sets one password; false if not allowed or already used. */
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
        json_agg(${summaryJson} order by ${boardMembers.id}) filter (where ${users.id} <> ${userId} and ${users.disabledAt} is null), '[]')`,
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
