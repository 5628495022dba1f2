import { setImmediate } from 'node:timers/promises'
import { and, asc, desc, eq, gt, inArray, isNull, lte, ne, not, type SQL, sql } from 'drizzle-orm'
import { type PgTable, union } from 'drizzle-orm/pg-core'
import { mayRestoreBoard } from '../../access'
import { CONTRIBUTIONS } from '../../db/contributions'
import type { Db } from '../../db/database'
import { boards, notifications, rates, taskAssignees, tasks, timeEntries, users } from '../../db/tables'
import { LISTED_AT_ONCE } from '../../protocol'
import type { SignedIn } from '../../server/signedIn'
import { type DeletedBoard, RESTORABLE_DAYS } from '../schema'
import type { BoardErasureGrant, BoardRestoreGrant, DeletionGrant } from './grants'
import { type DeletedRow, deletedColumns, hasHoursOfOthers, isPurgeable, isRestorable, LONG_AGO } from './lookup'

export async function listDeletedBoards(db: Db, viewer: SignedIn): Promise<DeletedBoard[]> {
  const worked = db
    .select({ boardId: timeEntries.boardId })
    .from(timeEntries)
    .innerJoin(tasks, and(eq(tasks.id, timeEntries.taskId), isNull(tasks.deletedAt)))
    .where(and(eq(timeEntries.userId, viewer.id), gt(timeEntries.duration, 0)))
  const own = union(db.select({ boardId: boards.id }).from(boards).where(eq(boards.createdBy, viewer.id)), worked)
  const rows = await db
    .select(deletedColumns(viewer.id))
    .from(boards)
    // As an array, or Postgres scans everyone's deleted boards.
    .where(and(isRestorable, sql`${boards.id} = any(array(${own}))`))
    .orderBy(desc(boards.deletedAt), desc(boards.id))
    .limit(LISTED_AT_ONCE)
  return rows.map((row) => toDeletedBoard(viewer, row))
}

const DAY_MS = 86_400_000

const toDeletedBoard = (viewer: SignedIn, row: DeletedRow): DeletedBoard => ({
  id: row.id,
  name: row.name,
  deletedAt: row.deletedAt.toISOString(),
  until: new Date(row.deletedAt.getTime() + RESTORABLE_DAYS * DAY_MS).toISOString(),
  mayRestore: mayRestoreBoard(viewer, row),
  minutes: row.minutes,
})

export async function markDeleted(db: Db, { board }: DeletionGrant): Promise<void> {
  await db.update(boards).set({ deletedAt: sql`now()` }).where(eq(boards.id, board.id))
}

export async function restoreBoard(db: Db, { board }: BoardRestoreGrant): Promise<void> {
  await db.update(boards).set({ deletedAt: null }).where(eq(boards.id, board.id))
}

/** Purges the account's own boards deleted at least `days` ago. Returns whether there were any. */
export async function purgeBoardsEarly(db: Db, userId: number, days: number): Promise<boolean> {
  const isOld = lte(boards.deletedAt, sql`now() - ${days} * interval '1 day'`)
  const over = await db
    .update(boards)
    .set({ deletedAt: LONG_AGO })
    .where(and(eq(boards.createdBy, userId), isOld, ne(boards.deletedAt, LONG_AGO), not(hasHoursOfOthers(userId))))
    .returning({ id: boards.id })
  if (over.length === 0) return false
  await purgeDeletedBoards(db)
  return true
}

/** The next purge takes it. */
export async function deleteForGood(db: Db, { board }: BoardErasureGrant): Promise<void> {
  await db.update(boards).set({ deletedAt: LONG_AGO }).where(eq(boards.id, board.id))
}

/** Per transaction: the embedded database answers nobody while a statement runs. */
const ROWS_AT_ONCE = 2_000
/** Few, because deleting each cascades. */
const TASKS_AT_ONCE = 100
const NAMES_AT_ONCE = 50

/** In short transactions, so that it can stop and resume at any point. */
export async function purgeDeletedBoards(db: Db): Promise<void> {
  while (await db.transaction(purgeSome)) await setImmediate()
}

async function purgeSome(db: Db): Promise<boolean> {
  const [over] = await db
    .select({ id: boards.id })
    .from(boards)
    .where(isPurgeable)
    .orderBy(asc(boards.id))
    .limit(1)
    .for('update', { skipLocked: true })
  if (!over) return false
  let left = ROWS_AT_ONCE
  for (const [table, where] of partsOf(over.id)) {
    left -= await deleteSome(db, table, where, left)
    if (left === 0) return true
  }
  if (await purgeSomeTasks(db, over.id, left)) return true
  const isName = eq(users.importedOn, over.id)
  if ((await deleteSome(db, users, isName, NAMES_AT_ONCE)) === NAMES_AT_ONCE) return true
  await db.delete(boards).where(eq(boards.id, over.id))
  return true
}

type Part = [table: PgTable, where: SQL | undefined]

const partsOf = (boardId: number): Part[] => [
  ...CONTRIBUTIONS.flatMap((work): Part[] => (work.on === 'board' ? [[work.table, eq(work.table.boardId, boardId)]] : [])),
  [notifications, eq(notifications.boardId, boardId)],
  [taskAssignees, eq(taskAssignees.boardId, boardId)],
  [rates, eq(rates.boardId, boardId)],
]

async function purgeSomeTasks(db: Db, boardId: number, most: number): Promise<boolean> {
  const next = await db
    .select({ id: tasks.id })
    .from(tasks)
    .where(eq(tasks.boardId, boardId))
    .orderBy(asc(tasks.id))
    .limit(TASKS_AT_ONCE)
  const ids = next.map(({ id }) => id)
  if (ids.length === 0) return false
  let left = most
  for (const { on, table } of CONTRIBUTIONS) {
    if (on === 'task') left -= await deleteSome(db, table, inArray(table.taskId, ids), left)
    if (left === 0) return true
  }
  await db.delete(tasks).where(inArray(tasks.id, ids))
  return true
}

export async function deleteSome(db: Db, table: PgTable, where: SQL | undefined, most: number): Promise<number> {
  const gone = await db
    .delete(table)
    .where(sql`ctid = any(array(select ctid from ${table} where ${where} limit ${most}))`)
    .returning({ one: sql<number>`1` })
  return gone.length
}
