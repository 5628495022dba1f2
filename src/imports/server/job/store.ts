import { and, eq, sql } from 'drizzle-orm'
import { ACCOUNT_DISABLED } from '../../../auth/basics'
import { FREE_LIMIT } from '../../../boards/schema'
import { lockBoard, mayHaveAnotherBoard } from '../../../boards/server/lookup'
import type { Db } from '../../../db/database'
import { boardMembers, boards, users } from '../../../db/schema'
import { forbidden } from '../../../server/errors'
import type { SignedIn } from '../../../server/signedIn'

/** Before the import, as whoever deletes an account does, with which its imports go. Throws FORBIDDEN where it was disabled meanwhile. */
export async function lockImporter(db: Db, userId: number): Promise<void> {
  const [user] = await db.select({ disabledAt: users.disabledAt }).from(users).where(eq(users.id, userId)).for('key share')
  if (user?.disabledAt) throw forbidden(ACCOUNT_DISABLED)
}

/** Throws FORBIDDEN where the importer's plan allows no further board by now. */
export async function openBoard(db: Db, importer: SignedIn, name: string, boardId: number): Promise<void> {
  await lockBoard(db, boardId)
  if (!(await mayHaveAnotherBoard(db, importer))) throw forbidden(FREE_LIMIT, { requiresUpgrade: true })
  await db
    .update(boards)
    .set({ name, createdBy: importer.id, deletedAt: null, importedAt: sql`now()` })
    .where(eq(boards.id, boardId))
  const own = and(eq(boardMembers.boardId, boardId), eq(boardMembers.userId, importer.id))
  await db.update(boardMembers).set({ addedAt: sql`now()` }).where(own)
}
