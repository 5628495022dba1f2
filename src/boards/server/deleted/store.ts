import { and, asc, desc, eq, gt, inArray, isNotNull, sql } from 'drizzle-orm'
import { union } from 'drizzle-orm/pg-core'
import { mayRestoreBoard } from '../../../access'
import type { Db } from '../../../db/database'
import { boards, tasks, timeEntries } from '../../../db/schema'
import { LISTED_AT_ONCE } from '../../../schema'
import type { SignedIn } from '../../../server/signedIn'
import { type DeletedBoard, RESTORABLE_DAYS } from '../../schema'
import type { BoardRestoreGrant, DeletionGrant } from '../grants'
import { type DeletedRow, deletedColumns, isOver, isRestorable } from './lookup'

export async function listDeletedBoards(db: Db, viewer: SignedIn): Promise<DeletedBoard[]> {
  const worked = db
    .select({ boardId: timeEntries.boardId })
    .from(timeEntries)
    .where(and(eq(timeEntries.userId, viewer.id), gt(timeEntries.duration, 0)))
  const own = union(db.select({ boardId: boards.id }).from(boards).where(eq(boards.createdBy, viewer.id)), worked)
  const rows = await db
    .select(deletedColumns(viewer.id))
    .from(boards)
    // As an array, or Postgres goes through all that were deleted, whoever's they are.
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

/** Tasks that were deleted before go for good. */
export async function markDeleted(db: Db, { board }: DeletionGrant): Promise<void> {
  await db.delete(tasks).where(and(eq(tasks.boardId, board.id), isNotNull(tasks.deletedAt)))
  await db.update(boards).set({ deletedAt: sql`now()` }).where(eq(boards.id, board.id))
}

export async function restoreBoard(db: Db, { board }: BoardRestoreGrant): Promise<void> {
  await db.update(boards).set({ deletedAt: null }).where(eq(boards.id, board.id))
}

const TASKS_AT_ONCE = 100

/** A few tasks at a time: the embedded database answers nobody while a statement runs. */
export async function purgeDeletedBoards(db: Db): Promise<void> {
  let isMore = true
  while (isMore) isMore = await db.transaction(purgeSome)
}

async function purgeSome(db: Db): Promise<boolean> {
  const [over] = await db
    .select({ id: boards.id })
    .from(boards)
    .where(isOver)
    .orderBy(asc(boards.id))
    .limit(1)
    .for('update', { skipLocked: true })
  if (!over) return false
  const some = db.select({ id: tasks.id }).from(tasks).where(eq(tasks.boardId, over.id)).limit(TASKS_AT_ONCE)
  const gone = await db.delete(tasks).where(inArray(tasks.id, some)).returning({ id: tasks.id })
  if (gone.length < TASKS_AT_ONCE) await db.delete(boards).where(eq(boards.id, over.id))
  return true
}
