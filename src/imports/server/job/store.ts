import { and, eq, sql } from 'drizzle-orm'
import { FREE_LIMIT } from '../../../boards/schema'
import { lockBoard, mayHaveAnotherBoard } from '../../../boards/server/lookup'
import type { Db } from '../../../db/database'
import { boardMembers, boards, unwantedFiles, users } from '../../../db/schema'
import { forbidden } from '../../../server/errors'
import type { SignedIn } from '../../../server/signedIn'
import { choicesOf } from '../lookup'
import type { Held } from './lease/store'

/** Before the import, as whoever deletes an account does, with which its imports go. */
export const lockImporter = (db: Db, userId: number) =>
  db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('key share')

export const dropArchive = (db: Db, { file }: Held) => db.insert(unwantedFiles).values({ name: file }).onConflictDoNothing()

/** Throws FORBIDDEN where the importer's plan allows no further board by now. */
export async function openBoard(db: Db, importer: SignedIn, held: Held, boardId: number): Promise<void> {
  await lockBoard(db, boardId)
  if (!(await mayHaveAnotherBoard(db, importer))) throw forbidden(FREE_LIMIT, { requiresUpgrade: true })
  const { name } = choicesOf(held)
  await db
    .update(boards)
    .set({ name, createdBy: importer.id, deletedAt: null, importedAt: sql`now()` })
    .where(eq(boards.id, boardId))
  const own = and(eq(boardMembers.boardId, boardId), eq(boardMembers.userId, importer.id))
  await db.update(boardMembers).set({ addedAt: sql`now()` }).where(own)
}
