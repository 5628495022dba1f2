import { and, desc, eq, getTableColumns, ne, sql } from 'drizzle-orm'
import type { Db } from '../../db/database'
import { imports } from '../../db/tables'
import type { BoardImport, Choices, ImportProgress, ListedImport, Loss, Preview } from '../schema'

const { userId: _, holder: __, heldUntil: ___, ...columns } = getTableColumns(imports)
export type ImportRow = Pick<typeof imports.$inferSelect, keyof typeof columns>

const { id, state, done, total, boardId, result, error } = columns
export const progressColumns = { id, state, done, total, boardId, result, error }
export type ProgressRow = Pick<ImportRow, keyof typeof progressColumns>

export const toProgress = (row: ProgressRow): ImportProgress => ({
  id: row.id,
  state: row.state,
  done: row.done,
  total: row.total,
  boardId: row.state === 'done' ? row.boardId : null,
  boards: boardsOf(row),
  losses: lossesOf(row),
  error: row.error,
})

export const toImport = (row: ImportRow): BoardImport => ({
  ...toProgress(row),
  // The columns' types know only text and JSON.
  source: row.source as BoardImport['source'],
  fileName: row.fileName,
  preview: storedPreview(row),
  me: meIn(row)?.id ?? null,
  createdAt: row.createdAt.toISOString(),
  changedAt: row.changedAt.toISOString(),
})

export const storedPreview = ({ preview }: Pick<ImportRow, 'preview'>): Preview => preview as Preview

/** The importer among the people of the preview, if any. */
export function meIn(row: Pick<ImportRow, 'choices' | 'preview'>): Preview['people'][number] | undefined {
  const { me } = choicesOf(row)
  return storedPreview(row).people.find(({ id, isMe }) => (me === undefined ? isMe : id === me))
}

export const toListed = (row: Awaited<ReturnType<typeof findImports>>[number]): ListedImport => ({
  ...row,
  boardId: row.state === 'done' ? row.boardId : null,
  source: row.source as ListedImport['source'],
  createdAt: row.createdAt.toISOString(),
  changedAt: row.changedAt.toISOString(),
})

type MadeBoard = BoardImport['boards'][number] & { list?: string | null }
type Result = { losses: Loss[]; boards?: MadeBoard[] } | null
export const lossesOf = ({ result }: ProgressRow): Loss[] => (result as Result)?.losses ?? []
/** `list` is null for tasks without one. Older rows lack it: there the board's name is the list's. */
export const madeBoardsOf = ({ result }: Pick<ProgressRow, 'result'>): Required<MadeBoard>[] =>
  ((result as Result)?.boards ?? []).map((board) => ({ list: board.name, ...board }))
export const boardsOf = (row: Pick<ProgressRow, 'result'>): BoardImport['boards'] =>
  madeBoardsOf(row).map(({ id, name }) => ({ id, name }))

/** Earlier versions called `boardPerList` `each`. */
export function choicesOf({ choices }: Pick<ImportRow, 'choices'>): Choices {
  const { each = false, ...given } = (choices ?? {}) as Choices & { each?: boolean }
  return { ...given, boardPerList: given.boardPerList ?? each }
}

const { source, fileName, createdAt, changedAt } = columns
const listedColumns = {
  id,
  source,
  fileName,
  state,
  done,
  total,
  boardId,
  error,
  createdAt,
  changedAt,
  name: sql<string>`${columns.preview} ->> 'name'`,
}

const selectImports = (db: Db) => db.select(columns).from(imports).$dynamic()

const ofUser = (userId: number) => eq(imports.userId, userId)

const LISTED_IMPORTS = 30

export const findImports = (db: Db, userId: number) =>
  db.select(listedColumns).from(imports).where(ofUser(userId)).orderBy(desc(imports.id)).limit(LISTED_IMPORTS)

export async function findImport(db: Db, userId: number, importId: number): Promise<ImportRow | undefined> {
  const [row] = await selectImports(db).where(and(ofUser(userId), eq(imports.id, importId)))
  return row
}

export async function lockImport(db: Db, userId: number, importId: number): Promise<ImportRow | undefined> {
  const [row] = await selectImports(db)
    .where(and(ofUser(userId), eq(imports.id, importId)))
    .for('update')
  return row
}

export const countOpen = (db: Db, userId: number): Promise<number> =>
  db.$count(imports, and(ofUser(userId), ne(imports.state, 'done')))
