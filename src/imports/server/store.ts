import { and, eq, lt, ne, sql } from 'drizzle-orm'
import type { Db } from '../../db/database'
import { imports, users } from '../../db/tables'
import { conflict } from '../../server/errors'
import { claimFiles, discardFiles } from '../../server/files/store'
import type { SignedIn } from '../../server/signedIn'
import {
  type BoardImport,
  type Choices,
  IMPORT_DAYS,
  type ImportSource,
  type ListedImport,
  OPEN_IMPORTS_MAX,
  type Preview,
} from '../schema'
import type { ImportGrant } from './grants'
import { countOpen, findImports, type ImportRow, lossesOf, madeBoardsOf, toImport, toListed } from './lookup'

export const listImports = async (db: Db, viewer: SignedIn): Promise<ListedImport[]> =>
  (await findImports(db, viewer.id)).map(toListed)

const TOO_MANY = `You have ${OPEN_IMPORTS_MAX} unfinished imports. Finish or discard some first.`

export async function assertFewOpen(db: Db, viewer: SignedIn): Promise<void> {
  if ((await countOpen(db, viewer.id)) >= OPEN_IMPORTS_MAX) throw conflict(TOO_MANY)
}

export type NewImport = {
  source: ImportSource
  fileName: string
  file: string
  original: string | null
  bytes: number
  preview: Preview
  total: number
}

export const filesOf = ({ file, original }: Pick<NewImport, 'file' | 'original'>): string[] =>
  original === null ? [file] : [file, original]

/** Locks the account, so that concurrent uploads cannot exceed the limit. Throws CONFLICT. */
export async function addImport(db: Db, viewer: SignedIn, given: NewImport): Promise<BoardImport> {
  await db.select({ id: users.id }).from(users).where(eq(users.id, viewer.id)).for('no key update')
  await assertFewOpen(db, viewer)
  await claimFiles(db, filesOf(given))
  const [row] = await db
    .insert(imports)
    .values({ ...given, userId: viewer.id })
    .returning()
  if (!row) throw new Error('the new import was not returned')
  return toImport(row)
}

export async function replaceImport(
  db: Db,
  { row }: ImportGrant<'change'>,
  { original: _, ...given }: NewImport,
): Promise<BoardImport> {
  await claimFiles(db, [given.file])
  await discardFiles(db, [row.file])
  const [replaced] = await db
    .update(imports)
    .set({ ...given, state: 'ready', error: null, changedAt: sql`now()` })
    .where(eq(imports.id, row.id))
    .returning()
  if (!replaced) throw new Error('the import was deleted while it was locked')
  return toImport(replaced)
}

export async function startImport(db: Db, { row }: ImportGrant<'change'>, choices: Choices): Promise<ImportRow> {
  // Keeps boards made by an earlier try, and their losses.
  const result = choices.boardPerList ? { losses: lossesOf(row), boards: madeBoardsOf(row) } : null
  const again = { state: 'running' as const, choices, done: 0, boardId: null, result, error: null }
  const [started] = await db
    .update(imports)
    .set({ ...again, holder: null, heldUntil: null, tries: 0, changedAt: sql`now()` })
    .where(eq(imports.id, row.id))
    .returning()
  if (!started) throw new Error('the import was deleted while it was locked')
  return started
}

/** A trigger queues its archive for deletion; its hidden board is purged with deleted boards. */
export async function deleteImport(db: Db, { row }: ImportGrant<'change'>): Promise<void> {
  await db.delete(imports).where(eq(imports.id, row.id))
}

export const deleteOldImports = (db: Db) =>
  db
    .delete(imports)
    .where(and(ne(imports.state, 'running'), lt(imports.changedAt, sql`now() - ${IMPORT_DAYS} * interval '1 day'`)))
