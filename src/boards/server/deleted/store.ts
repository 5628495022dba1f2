import { and, asc, desc, eq, gt, inArray, isNotNull, or, sql } from 'drizzle-orm'
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
  const rows = await db
    .select(deletedColumns(viewer.id))
    .from(boards)
    .where(and(isRestorable, or(eq(boards.createdBy, viewer.id), inArray(boards.id, worked))))
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

const PURGED_AT_ONCE = 20

export const purgeDeletedBoards = (db: Db): Promise<void> =>
  db.transaction(async (transaction) => {
    const over = await transaction
      .select({ id: boards.id })
      .from(boards)
      .where(isOver)
      .orderBy(asc(boards.id))
      .limit(PURGED_AT_ONCE)
      .for('update', { skipLocked: true })
    const ids = over.map(({ id }) => id)
    if (ids.length > 0) await transaction.delete(boards).where(inArray(boards.id, ids))
  })
