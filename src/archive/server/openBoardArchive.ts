import { hasMoreValues } from '../../server/body'
import { ArchiveFailed, type BoardRow, type BoardTable, boardRows } from '../schema'
import {
  type BoardManifest,
  boardManifest,
  fileEntry,
  jsonIn,
  LIST,
  type Listed,
  linesIn,
  listedFile,
  tableEntry,
  type WrittenFiles,
  type WrittenTable,
} from './archiveFormat'
import { damaged, type Opened, openZip, readHead } from './archiveZip'
import { BOARD_TABLES, filesOf } from './writeArchive'

/** More than any board has, and few enough to read. */
const MAX = { entries: 50_000, rows: 2_000_000, bytes: 2 ** 30 }
/** Values in a row, such as tags: a million would block the process for a second. */
const VALUES_MAX = 2_500
/** Other programs have texts of a megabyte; much longer lines would leave a gigabyte of garbage. */
const LONGEST_ROW = 2 * 2 ** 20
const NAME_SHOWN = 100
const CALLED = 'The file'

/** The file may come from anyone: opening and reading throw ArchiveFailed if anything is wrong. */
export async function openBoardArchive(path: string) {
  const zip = await openZip(path, { called: CALLED, byName: MAX.entries })
  try {
    const manifest = await readHead(zip, 'board', boardManifest)
    assertBounded(zip, manifest)
    const files = await filesByName(zip, manifest.files)
    return { manifest, rows: reading(zip, manifest, files.has), size: files.size, file: files.file, close: zip.close }
  } catch (error) {
    zip.close()
    throw error
  }
}

const NEEDED: BoardTable[] = ['board', 'people', 'tasks']

function assertBounded(zip: Opened, { tables }: BoardManifest) {
  // An older archive lacks newer tables.
  const expected = BOARD_TABLES.filter((name) => NEEDED.includes(name) || zip.has(tableEntry(name)))
  if (tables.map(({ name }) => name).join() !== expected.join())
    throw new ArchiveFailed(`${CALLED} does not have the tables of a board`)
  const sum = (of: (table: WrittenTable) => number) => tables.reduce((all, table) => all + of(table), 0)
  if (sum(({ rows }) => rows) > MAX.rows || sum(({ bytes }) => bytes) > MAX.bytes)
    throw new ArchiveFailed(`${CALLED} is larger than a board can be`)
  if (tables[0]?.rows !== 1) throw new ArchiveFailed(`${CALLED} does not hold exactly one board`)
}

type Numbered = 'people' | 'tasks'
const NAMED = { person: 'people', createdBy: 'people', userId: 'people', task: 'tasks' } as const

function reading(zip: Opened, manifest: BoardManifest, hasFile: (name: string) => boolean) {
  let known: Promise<Record<Numbered, Set<unknown>>> | undefined
  const readNumbers = async () => ({
    people: await numbersOf(shaped(zip, manifest, 'people')),
    tasks: await numbersOf(shaped(zip, manifest, 'tasks')),
  })

  return async function* rows<Table extends BoardTable>(table: Table): AsyncGenerator<BoardRow<Table>> {
    known ??= readNumbers()
    const numbers = await known
    for await (const row of shaped(zip, manifest, table)) {
      for (const [field, number] of referencesOf(row))
        if (!numbers[NAMED[field]].has(number))
          throw new ArchiveFailed(`${CALLED} refers to an id that does not exist, ${number}, in ${table}`)
      for (const name of filesOf(row))
        if (!hasFile(name))
          throw new ArchiveFailed(`${CALLED} lacks a file that it refers to: ${JSON.stringify(name.slice(0, NAME_SHOWN))}`)
      yield row
    }
  }
}

async function* shaped<Table extends BoardTable>(
  zip: Opened,
  { tables }: BoardManifest,
  table: Table,
): AsyncGenerator<BoardRow<Table>> {
  const entry = tableEntry(table)
  const expected = tables.find(({ name }) => name === table)
  if (!expected) return
  let rows = 0
  for await (const line of linesIn(zip.read(entry, expected), LONGEST_ROW)) {
    rows += 1
    if (rows > expected.rows) throw damaged(CALLED, entry)
    yield rowIn(table, line, rows)
  }
  if (rows !== expected.rows) throw damaged(CALLED, entry)
}

async function numbersOf(rows: AsyncIterable<{ id: number }>): Promise<Set<unknown>> {
  const found = new Set<number>()
  for await (const { id } of rows) {
    if (found.has(id)) throw new ArchiveFailed(`${CALLED} has the id ${id} twice`)
    found.add(id)
  }
  return found
}

function referencesOf(row: object): [keyof typeof NAMED, unknown][] {
  const detail = 'detail' in row ? (row.detail as object) : {}
  const fields = [...Object.entries(row), ...Object.entries(detail).filter(([name]) => name === 'userId')]
  return fields.filter((one): one is [keyof typeof NAMED, unknown] => one[0] in NAMED && one[1] !== null)
}

function rowIn<Table extends BoardTable>(table: Table, line: string, number: number): BoardRow<Table> {
  if (hasMoreValues(line, VALUES_MAX)) throw new ArchiveFailed(`${CALLED} has too many values in line ${number} of ${table}`)
  const parsed = boardRows[table].safeParse(jsonIn(line))
  if (parsed.success) return parsed.data as BoardRow<Table>
  const [issue] = parsed.error.issues
  throw new ArchiveFailed(
    `In ${CALLED.toLowerCase()}, line ${number} of ${table} is invalid: ${issue?.path.join('.')}: ${issue?.message}`,
  )
}

const MAX_BYTES = 2 * 2 ** 30
const LIST_MAX_BYTES = 16 * 2 ** 20

/** Throws ArchiveFailed unless the archive has exactly the files that its list says. */
async function filesByName(zip: Opened, { total, ...written }: WrittenFiles) {
  const { called } = zip
  if (total > MAX_BYTES || written.bytes > LIST_MAX_BYTES)
    throw new ArchiveFailed(`${called} has more files than a board can have`)
  const files = new Map<string, Listed>()
  const sums = { count: 0, total: 0 }
  for await (const one of listedFiles(called, zip.read(LIST, written), total)) {
    files.set(one.name, one)
    if ('missing' in one) continue
    sums.count += 1
    sums.total += one.bytes
    if (zip.size(fileEntry(one.name)) !== one.bytes) throw damaged(called, one.name)
  }
  if (sums.total !== total || sums.count !== written.count || sums.count !== zip.fileCount) throw damaged(called, LIST)

  const find = (name: string) => {
    const one = files.get(name)
    if (!one) throw new ArchiveFailed(`${called} has no file ${JSON.stringify(name)}`)
    return 'missing' in one ? null : one
  }
  return {
    has: (name: string) => files.has(name),
    /** Null if it was lost before the archive was made. */
    size: (name: string): number | null => find(name)?.bytes ?? null,
    async file(name: string): Promise<Uint8Array | null> {
      const one = find(name)
      return one && Buffer.concat(await Array.fromAsync(zip.read(fileEntry(name), one)))
    },
  }
}

/** Throws ArchiveFailed if one is listed twice, or all are larger than the manifest says. */
export async function* listedFiles(called: string, list: AsyncIterable<Uint8Array>, total: number): AsyncGenerator<Listed> {
  const names = new Set<string>()
  let left = total
  for await (const line of linesIn(list)) {
    const { data: one } = listedFile.safeParse(jsonIn(line))
    if (!one || names.has(one.name)) throw damaged(called, LIST)
    names.add(one.name)
    if ('bytes' in one) left -= one.bytes
    if (left < 0) throw damaged(called, LIST)
    yield one
  }
}
