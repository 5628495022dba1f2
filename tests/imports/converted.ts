import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BoardTable, boardRows } from '../../src/archive/schema'
import { type Converted, createKept } from '../../src/imports/server/sources/boardBuilder'
import { convert } from '../../src/imports/server/sources/convert'

const began = new Date().toISOString()
/** For what a file tells no moment of. */
const withNow = (row: object) =>
  'createdAt' in row && typeof row.createdAt === 'string' && row.createdAt >= began ? { ...row, createdAt: 'now' } : row

/** All rows, each of which has to be one that an archive takes. */
export async function rowsOf({ source, tables, losses }: Converted) {
  const rows = await Promise.all(
    (Object.keys(boardRows) as BoardTable[]).map(async (table) => {
      const found = await Array.fromAsync(tables[table] as AsyncIterable<unknown> | Iterable<unknown>)
      return [table, found.map((row) => withNow(boardRows[table].parse(row)))] as const
    }),
  )
  const filled = Object.fromEntries(rows.filter(([, found]) => found.length > 0))
  return { source, ...filled, losses: losses.map(({ what, count, examples }) => [count, what, ...examples]) }
}

/** So much that only what is far too large is refused. */
export const keptInTests = () => createKept(56 * 2 ** 20)

export const fixture = (name: string) => join(import.meta.dir, 'fixtures', name)

export const convertFixture = async (name: string) => rowsOf(await convert(fixture(name), name, keptInTests()))

const folder = await mkdtemp(join(tmpdir(), 'wrk-sources-'))
let files = 0

/** A file with this content. */
export async function fileOf(content: string | Uint8Array | string[]): Promise<string> {
  const path = join(folder, `${files++}`)
  await Bun.write(path, Array.isArray(content) ? new Blob(content) : content)
  return path
}

export const convertText = async (content: string | Uint8Array, name = 'export.csv') =>
  rowsOf(await convert(await fileOf(content), name, keptInTests()))

/** With the defaults of fields that came after the fixture. */
export async function expectedRows(name: string): Promise<Awaited<ReturnType<typeof rowsOf>>> {
  const expected = await Bun.file(fixture(`${name}.rows.json`)).json()
  for (const table of Object.keys(boardRows) as BoardTable[]) {
    const rows = expected[table]
    if (Array.isArray(rows)) expected[table] = rows.map((row) => ({ ...defaultsOf(table), ...row }))
  }
  return expected
}

const defaultsOf = (table: BoardTable) =>
  Object.fromEntries(
    Object.entries(boardRows[table].shape).flatMap(([field, schema]) => {
      const { data } = schema.safeParse(undefined)
      return data === undefined ? [] : [[field, data]]
    }),
  )
