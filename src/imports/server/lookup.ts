import { and, desc, eq, getTableColumns, ne } from 'drizzle-orm'
import type { Db } from '../../db/database'
import { imports } from '../../db/schema'
import type { BoardImport, Choices, Loss, Preview } from '../schema'

const { userId: _, holder: __, heldUntil: ___, changedAt: ____, ...columns } = getTableColumns(imports)
export type ImportRow = Pick<typeof imports.$inferSelect, keyof typeof columns>

export const toImport = (row: ImportRow): BoardImport => ({
  id: row.id,
  // As it was stored: the columns' types know only that it is text, and JSON.
  source: row.source as BoardImport['source'],
  fileName: row.fileName,
  state: row.state,
  preview: row.preview as Preview,
  done: row.done,
  total: row.total,
  boardId: row.state === 'done' ? row.boardId : null,
  losses: lossesOf(row),
  error: row.error,
  createdAt: row.createdAt.toISOString(),
})

const lossesOf = ({ result }: ImportRow): Loss[] => (result as { losses: Loss[] } | null)?.losses ?? []

export const choicesOf = ({ choices }: Pick<ImportRow, 'choices'>): Choices => choices as Choices

export const selectImports = (db: Db) => db.select(columns).from(imports).$dynamic()

const ofUser = (userId: number) => eq(imports.userId, userId)

/** Their previews are long. */
const LISTED_IMPORTS = 30

export async function findImports(db: Db, userId: number): Promise<ImportRow[]> {
  return selectImports(db).where(ofUser(userId)).orderBy(desc(imports.id)).limit(LISTED_IMPORTS)
}

export async function findImport(db: Db, userId: number, importId: number): Promise<ImportRow | undefined> {
  const [row] = await selectImports(db).where(and(ofUser(userId), eq(imports.id, importId)))
  return row
}

/** Until the transaction ends nobody starts, fills or deletes it. */
export async function lockImport(db: Db, userId: number, importId: number): Promise<ImportRow | undefined> {
  const [row] = await selectImports(db)
    .where(and(ofUser(userId), eq(imports.id, importId)))
    .for('update')
  return row
}

/** Those that are not done. */
export const countOpen = (db: Db, userId: number): Promise<number> =>
  db.$count(imports, and(ofUser(userId), ne(imports.state, 'done')))
