import { badRequest } from '../../../server/errors'
import { type Encoding, NOT_UNDERSTOOD, type Reading, TEXT_MAX_BYTES } from '../../schema'
import { truncate } from '../fitToLimits'
import type { Converted, Kept } from './boardBuilder'
import { isObject } from './cells'
import { convertHours } from './hours'
import { isHours, readHourColumns } from './hoursColumns'
import { readJson } from './json'
import { LOSSES } from './losses'
import { convertPlankaAnswer } from './planka'
import { readTable, type Table } from './table'
import { convertTasks } from './tasksCsv'
import { readTaskColumns } from './tasksCsvColumns'
import { beginningOf, encodingOf, isUtf8, textOf, unicodeOf } from './text'
import { convertTrello } from './trello'
import { convertWekan } from './wekan'

/** Throws BAD_REQUEST, in a sentence, if it cannot be understood. */
export async function convert(path: string, fileName: string, kept: Kept, reading: Reading = {}): Promise<Converted> {
  if (Bun.file(path).size > TEXT_MAX_BYTES) throw badRequest(TOO_LARGE)
  // JSON has no other encoding.
  const unicode = await unicodeOf(path)
  const begin = await beginningOf(path, unicode)
  if (begin.startsWith('{') || begin.startsWith('[')) return convertJson(path, unicode, kept)
  const encoding = reading.encoding ?? (await encodingOf(path))
  const table = await readTable(path, encoding, kept)
  return convertTable(table, fileName.replace(/\.\w{1,5}$/, ''), kept, { ...reading, encoding })
}

async function convertTable(table: Table, name: string, kept: Kept, reading: Reading & { encoding: Encoding }) {
  const { encoding, listedBy = 'project', columns: chosen = [] } = reading
  const kind = reading.kind ?? (isHours(table.header) ? 'hours' : 'tasks')
  const fields = kind === 'hours' ? readHourColumns(table.header, chosen) : readTaskColumns(table.header, chosen)
  const convertRows = kind === 'hours' ? convertHours : convertTasks
  const converted = await convertRows(table, name, kept, fields, reading)
  if (!encoding.startsWith('utf-')) converted.losses.push({ what: LOSSES.encodingGuessed, count: 1, examples: [encoding] })
  const columns = table.header.map((name, at) => ({
    name: truncate(name, NAME_SHOWN) || `Column ${at + 1}`,
    field: fields[at] ?? ('line' as const),
    examples: examplesOf(table, at),
  }))
  return { ...converted, table: { kind, encoding, listedBy, columns, statuses: converted.statuses ?? [] } }
}

const [NAME_SHOWN, EXAMPLE_SHOWN, EXAMPLES, ROWS_LOOKED_AT] = [200, 60, 3, 100]

function examplesOf({ rows }: Table, at: number): string[] {
  const cells = rows.slice(0, ROWS_LOOKED_AT).map((row) => truncate((row[at] ?? '').trim(), EXAMPLE_SHOWN))
  return [...new Set(cells.filter((cell) => cell !== ''))].slice(0, EXAMPLES)
}

const TOO_LARGE = `Files from other apps can be up to ${TEXT_MAX_BYTES / 2 ** 20} MB.`

async function convertJson(path: string, encoding: Encoding, kept: Kept): Promise<Converted> {
  const converted = await convertBoard(() => textOf(path, encoding), kept)
  if (encoding === 'utf-8' && !(await isUtf8(path)))
    converted.losses.push({ what: LOSSES.lettersUnreadable, count: 1, examples: [] })
  return converted
}

async function convertBoard(read: () => AsyncIterable<string>, kept: Kept): Promise<Converted> {
  const rest = await readJson(read(), () => {})
  if (!isObject(rest)) throw badRequest(NOT_UNDERSTOOD)
  if (/^wekan-board/.test(String(rest._format))) return convertWekan(read(), rest, kept)
  if ([rest.lists, rest.cards, rest.actions].every(Array.isArray)) return convertTrello(read(), rest, kept)
  if (isObject(rest.item) && isObject(rest.included)) return convertPlankaAnswer(read(), rest, kept)
  throw badRequest(NOT_UNDERSTOOD)
}
