import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/database'
import { boardMembers, leftBoards, users } from '../../db/tables'

/** `importedOn` of a deleted account that still has rows: no board has this id. */
export const LEAVING = 0

export async function findLeaving(db: Db): Promise<number[]> {
  const found = await db.select({ id: users.id }).from(users).where(eq(users.importedOn, LEAVING)).orderBy(asc(users.id))
  return found.map(({ id }) => id)
}

/** Locks a deleted account, after its boards; false if nothing of it is left. */
export async function lockLeaving(db: Db, userId: number): Promise<boolean> {
  const isIt = and(eq(users.id, userId), eq(users.importedOn, LEAVING))
  return (await db.select({ id: users.id }).from(users).where(isIt).for('update')).length > 0
}

/** A board where a deleted account may have left something, or to which it was added while it was ending. */
export async function findLeftBoard(db: Db, userId: number): Promise<{ id: number; keepsContent: boolean } | undefined> {
  const [left] = await db
    .select({ id: leftBoards.boardId, keepsContent: leftBoards.removed })
    .from(leftBoards)
    .where(eq(leftBoards.userId, userId))
    .unionAll(
      db
        .select({ id: boardMembers.boardId, keepsContent: sql<boolean>`true` })
        .from(boardMembers)
        .where(eq(boardMembers.userId, userId)),
    )
    .limit(1)
  return left
}
