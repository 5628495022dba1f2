import { type Parser, parse } from 'csv-parse'
import { numberText } from '../../../format'
import { badRequest } from '../../../server/errors'
import { COLUMNS_MAX, type Encoding } from '../../schema'
import { plainText } from '../guessColumn'
import { type BoardBuilder, type Kept, SLOT } from './boardBuilder'
import { CELL_NAME_MAX, LONGER } from './shapes'
import { beginningOf, textOf, withPauses } from './text'

/** `lines` in the file on which the rows begin. */
export type Table = { header: string[]; rows: string[][]; lines: number[] }

const RECORD_MAX = 2 ** 20
const ROWS_MAX = 250_000

/** Tells Excel the separator. */
const SEPARATOR = /^sep=([,;|\t])\r?\n/i

const REASONS: Record<string, string> = {
  CSV_MAX_RECORD_SIZE: 'a row is too long, perhaps because a quotation mark was never closed',
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark is not closed',
}

/** Separated by comma, semicolon, tab or bar. */
export async function readTable(path: string, encoding: Encoding, kept: Kept): Promise<Table> {
  const begin = await beginningOf(path, encoding)
  const [, named] = SEPARATOR.exec(begin) ?? []
  const delimiter = named ?? delimiterOf(begin)
  const parser = parse({
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    info: true,
    max_record_size: RECORD_MAX,
  })
  const rows: string[][] = []
  const lines: number[] = []
  let read = 0
  const filling = fill(parser, shortParts(textOf(path, encoding)))
  try {
    for await (const { record: row, info } of withPauses<Parsed>(parser)) {
      const line = read + info.empty_lines + 1
      read += lineCount(row)
      if (rows.length === 0 && named !== undefined && row[0]?.toLowerCase() === 'sep=') continue
      if (rows.length === 0) assertHeader(row)
      if (rows.length > ROWS_MAX) throw badRequest(`This CSV has more than ${numberText(ROWS_MAX)} rows: export it in parts.`)
      if (row.every((cell) => cell.trim() === '')) continue
      while (row.length < (rows[0]?.length ?? 0)) row.push('')
      kept.add(row, SLOT)
      rows.push(row)
      lines.push(line)
    }
  } catch (error) {
    throw asRefusal(error)
  } finally {
    parser.destroy()
    await filling
  }
  return { header: (rows[0] ?? []).map((name) => name.trim()), rows: rows.slice(1), lines: lines.slice(1) }
}

type Parsed = { record: string[]; info: { empty_lines: number } }

/** The parser counts "\r\n" inside a cell as two. */
const lineCount = (row: string[]) => row.reduce((lines, cell) => lines + cell.split(/\r\n?|\n/).length - 1, 1)

function assertHeader(header: string[]) {
  if (header.length > COLUMNS_MAX) throw badRequest(`This CSV has more than ${COLUMNS_MAX} columns.`)
  if (header.some((name) => name.length > CELL_NAME_MAX)) throw badRequest(`This CSV has a column whose name is ${LONGER}.`)
}

/** One part at a time: a stream would gather many and parse them in one go. */
async function fill(parser: Parser, parts: AsyncIterable<string>) {
  // A destroyed parser never calls back.
  const closed = new Promise((done) => parser.once('close', done))
  try {
    for await (const part of withPauses(parts)) {
      if (parser.destroyed) return
      await Promise.race([new Promise((done) => parser.write(part, done)), closed])
    }
    parser.end()
  } catch (error) {
    parser.destroy(error instanceof Error ? error : undefined)
  }
}

const PART = 4 * 1024

async function* shortParts(texts: AsyncIterable<string>) {
  for await (const text of texts)
    for (let at = 0; at < text.length; at += PART) yield text.slice(at, at + PART).replaceAll('\0', '')
}

function asRefusal(error: unknown) {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (!code.startsWith('CSV_')) return error
  const line = error instanceof Error && 'lines' in error ? ` at line ${error.lines}` : ''
  return badRequest(`This CSV is damaged${line}: ${REASONS[code] ?? 'it cannot be read as a table'}.`)
}

function delimiterOf(begin: string): string {
  const counts = new Map([',', ';', '\t', '|'].map((delimiter) => [delimiter, 0]))
  let isQuoted = false
  for (const letter of begin) {
    if (letter === '"') isQuoted = !isQuoted
    else if (!isQuoted && (letter === '\n' || letter === '\r')) break
    else if (!isQuoted && counts.has(letter)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  }
  const [[delimiter] = [',']] = [...counts].toSorted(([, a], [, b]) => b - a)
  return delimiter
}

/** The names that programs give a column, by field, the best first. */
export type Spellings<Field extends string> = Record<Field, string[]>

export const spelled = (names: string): string[] => names.split(/,\s+/)

/** No known column has a longer name. */
export const COLUMN_NAME_MAX = 100

export const plainName = (name: string): string =>
  plainText(name.slice(0, COLUMN_NAME_MAX))
    .replace(/[\s_-]+/g, ' ')
    .replace(/[?:*]+$/, '')
    .trim()

export function guessFields<Field extends string>(header: string[], spellings: Spellings<Field>): (Field | null)[] {
  const byName = new Map(entriesOf(spellings).flatMap(([field, names]) => names.map((name) => [name, field] as const)))
  return header.map((name) => byName.get(plainName(name)) ?? null)
}

// Object.entries loses the type of the keys.
const entriesOf = <Field extends string>(spellings: Spellings<Field>) => Object.entries(spellings) as [Field, string[]][]

/** The columns of a table by field, better names first. */
export function columnsOf<Field extends string>(
  { header }: Pick<Table, 'header'>,
  fields: readonly (string | null)[],
  spellings: Spellings<Field>,
) {
  const names = header.map(plainName)
  const rankOf = (field: Field, at: number) => {
    const rank = spellings[field].indexOf(names[at] ?? '')
    return rank < 0 ? spellings[field].length : rank
  }
  const columns = new Map(
    entriesOf(spellings).map(([field]) => {
      const own = [...header.keys()].filter((at) => fields[at] === field)
      return [field, own.toSorted((a, b) => rankOf(field, a) - rankOf(field, b))]
    }),
  )
  const cellsOf = (row: string[], field: Field) =>
    (columns.get(field) ?? [])
      .map((at) => ({ name: header[at] || `Column ${at + 1}`, value: row[at]?.trim() ?? '' }))
      .filter(({ value }) => value !== '')
  return {
    has: (field: Field) => (columns.get(field) ?? []).length > 0,
    cells: cellsOf,
    all: (row: string[], field: Field) => cellsOf(row, field).map(({ value }) => value),
    first(row: string[], field: Field) {
      for (const at of columns.get(field) ?? []) {
        const value = row[at]?.trim()
        if (value) return value
      }
      return ''
    },
    nameOf: (field: Field) => header[columns.get(field)?.[0] ?? -1] ?? '',
    /** For a field with one value: the cells of its other columns that differ. */
    spare(row: string[], field: Field) {
      const [taken, ...others] = cellsOf(row, field)
      return others.filter(({ value }) => value !== taken?.value)
    },
  }
}

/** Notes the columns that are left out although a row has a value there. */
export async function tellLeftColumns(
  { losses }: Pick<BoardBuilder, 'losses'>,
  { header, rows }: Table,
  fields: readonly unknown[],
) {
  const left = [...header.keys()].filter((at) => fields[at] === 'leave')
  const blank = new Set(left)
  for await (const row of withPauses(rows)) for (const at of blank) if (row[at]?.trim()) blank.delete(at)
  for (const at of left) if (!blank.has(at)) losses.add('columnUnread', header[at] || `Column ${at + 1}`)
}
