import { type BoardRow, type BoardTable, type BoardTables, boardRows } from '../boardRows'
import { ArchiveFailed } from '../schema'
import { addFiles, addTable, archived } from './written'

const ROWS_AT_ONCE = 200
const LENGTH_AT_ONCE = 2 ** 18

/** A board's archive, made as it is read: docs/archive.md. `file` is asked for each file that the rows name. Throws ArchiveFailed. */
export const writeBoardArchive = (
  tables: BoardTables,
  file: (name: string) => Promise<Blob | null>,
): AsyncGenerator<Uint8Array> =>
  archived(async (zip) => {
    const names = new Set<string>()
    const written = []
    for (const table of BOARD_TABLES) written.push(await addTable(zip, table, linesOf(table, tables[table], names)))
    return { kind: 'board', tables: written, files: await addFiles(zip, names, file) }
  })

export const BOARD_TABLES = Object.keys(boardRows) as BoardTable[]

type Rows<Table extends BoardTable> = AsyncIterable<BoardRow<Table>> | Iterable<BoardRow<Table>>

async function* linesOf<Table extends BoardTable>(table: Table, rows: Rows<Table>, names: Set<string>): AsyncGenerator<string> {
  let lines: string[] = []
  let length = 0
  for await (const given of rows) {
    const row = boardRows[table].safeParse(given)
    if (!row.success) throw new ArchiveFailed(`a row of ${table} does not fit: ${row.error.issues[0]?.message}`)
    for (const name of filesOf(row.data)) names.add(name)
    const line = `${JSON.stringify(row.data)}\n`
    length += line.length
    if (lines.push(line) < ROWS_AT_ONCE && length < LENGTH_AT_ONCE) continue
    yield lines.join('')
    lines = []
    length = 0
  }
  yield lines.join('')
}

/** The files that a row of a board's archive names. */
export const filesOf = (row: object): string[] =>
  'thumbnail' in row && 'file' in row ? [row.file, row.thumbnail].filter((name) => typeof name === 'string') : []
