import { type Parser, parse } from 'csv-parse'
import { numberText } from '../../../basics'
import { badRequest } from '../../../server/errors'
import { COLUMNS_MAX, type Encoding } from '../../schema'
import type { Kept } from './kept'
import { CELL_NAME_MAX, LONGER } from './shapes'
import { beginningOf, textOf } from './text'
import { withPauses } from './withPauses'

/** The cells of a row are as many as the header's, or more. */
export type Table = { header: string[]; rows: string[][] }

const RECORD_MAX = 2 ** 20
const ROWS_MAX = 250_000

/** With which a file may tell Excel what stands between its cells. */
const SEPARATOR = /^sep=([,;|\t])\r?\n/i

const REASONS: Record<string, string> = {
  CSV_MAX_RECORD_SIZE: 'a row is longer than any can be; maybe a quotation mark is not closed',
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark is not closed',
}

/** Comma, semicolon, tab or bar between the cells, in any encoding that programs write. */
export async function readTable(path: string, encoding: Encoding, kept: Kept): Promise<Table> {
  const begin = await beginningOf(path, encoding)
  const [, named] = SEPARATOR.exec(begin) ?? []
  const delimiter = named ?? delimiterOf(begin)
  const parser = parse({
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: RECORD_MAX,
  })
  const rows: string[][] = []
  const filling = fill(parser, shortParts(textOf(path, encoding)))
  try {
    for await (const row of withPauses<string[]>(parser)) {
      if (rows.length === 0 && named !== undefined && row[0]?.toLowerCase() === 'sep=') continue
      if (rows.length === 0) assertHeader(row)
      if (rows.length > ROWS_MAX) throw badRequest(`This CSV has more than ${numberText(ROWS_MAX)} rows: export it in parts.`)
      if (row.every((cell) => cell.trim() === '')) continue
      while (row.length < (rows[0]?.length ?? 0)) row.push('')
      kept.add(row)
      rows.push(row)
    }
  } catch (error) {
    throw asRefusal(error)
  } finally {
    parser.destroy()
    await filling
  }
  return { header: (rows[0] ?? []).map((name) => name.trim()), rows: rows.slice(1) }
}

function assertHeader(header: string[]) {
  if (header.length > COLUMNS_MAX) throw badRequest(`This CSV has more than ${COLUMNS_MAX} columns.`)
  if (header.some((name) => name.length > CELL_NAME_MAX)) throw badRequest(`This CSV has a column whose name is ${LONGER}.`)
}

/** A part after the other, as streams would gather many and parse them in one go. */
async function fill(parser: Parser, parts: AsyncIterable<string>) {
  // What waits in a parser that is destroyed is never told.
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
  const line = error instanceof Error && 'lines' in error ? `, line ${error.lines}` : ''
  return badRequest(`This CSV is damaged${line}: ${REASONS[code] ?? 'it cannot be read as a table'}.`)
}

/** What stands most often between the cells of the first line. */
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
