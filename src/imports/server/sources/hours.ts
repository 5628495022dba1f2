import { badRequest } from '../../../server/errors'
import { MINUTES_MAX, roundedMinutes } from '../../../time/limits'
import { FORMATS } from '../../../time/server/csv'
import type { HourColumn, ImportSource, Reading } from '../../schema'
import { type BoardBuilder, type Converted, createBoard, type Kept, shortened } from './boardBuilder'
import { isNo, isYes, splitCell } from './cells'
import { type DayOrder, dayOrderOf, durationIn, isUnclear, type ReadDate, readDate, secondsIn } from './dates'
import { daysOf, HOUR_SPELLINGS, type HourColumns } from './hoursColumns'
import { columnsOf, plainName, type Table, tellLeftColumns } from './table'
import { withPauses } from './text'

const NO_PROJECT = '(no project)'
const NO_CLIENT = '(no client)'
const NO_DESCRIPTION = '(no description)'

function sourceOf({ header }: Table, columns: HourColumns, fileName: string): ImportSource {
  const names = header.map(plainName)
  if (names.includes('first name') && names.includes('hours')) return 'harvest'
  if (columns.has('dayHours')) return /^clockify/i.test(fileName) ? 'clockify' : /^toggl/i.test(fileName) ? 'toggl' : 'csv'
  if (columns.has('minutes')) return 'csv'
  const isClockify = columns.has('decimal') || names.some((name) => /\(h\)$/.test(name))
  return isClockify ? 'clockify' : columns.has('startTime') ? 'toggl' : 'csv'
}

/** Each project (or client) becomes a list, and each task or description in it a task. */
export async function convertHours(
  table: Table,
  name: string,
  kept: Kept,
  fields: readonly (string | null)[],
  { listedBy = 'project' }: Reading,
): Promise<Converted> {
  const columns = columnsOf(table, fields, HOUR_SPELLINGS)
  const board = createBoard(sourceOf(table, columns, name), { name, description: null, createdAt: null }, kept)
  const order = await dayOrderOf(table.rows.values().map((row) => columns.first(row, 'startDate')))
  const taskOf = createTasks(board, columns, listedBy)
  const spansOf = columns.has('dayHours') ? weeklySpans(board, table, fields, name) : dailySpans(board, columns, order)
  const isOwn = FORMATS.plain.columns.every((name, at) => name === table.header[at])
  for await (const [at, given] of withPauses(table.rows.entries())) {
    const row = isOwn ? given.map(withoutApostrophe) : given
    const where = `line ${table.lines[at]}`
    if (columns.has('dayHours') && isTotal(columns, row)) {
      board.losses.add('totalRow', `${where}: ${row.join(', ')}`)
      continue
    }
    tellSpare(board, columns, row, table.header.length)
    for (const span of spansOf(row, where)) addEntry(board, columns, row, taskOf(row), span)
  }
  await tellLeftColumns(board, table, fields)
  if (board.rows.entries.length === 0) throw badRequest('This CSV has no rows with hours.')
  return board.finish()
}

/** Our own CSV puts it before what a spreadsheet would run as a formula. */
const withoutApostrophe = (cell: string) => cell.replace(/'(?<=(?:^|[;\t\r\n]"*)')(?=[=+\-@\t\r\n＝＋－＠])/g, '')

const ONE_VALUE = [
  'project',
  'client',
  'task',
  'note',
  'email',
  'billable',
  'startDate',
  'startTime',
  'endDate',
  'endTime',
] as const

function tellSpare({ losses }: BoardBuilder, columns: HourColumns, row: string[], length: number) {
  const spare = ONE_VALUE.flatMap((field) => columns.spare(row, field)).map(({ name, value }) => `${name}: ${value}`)
  const beyond = row.slice(length).filter((cell) => cell.trim() !== '')
  for (const value of [...spare, ...beyond]) losses.add('secondValue', value)
}

const TOTAL = /^(?:(?:grand|weekly|overall) )?totals?(?: hours)?$|^(?:gesamt|summe|gesamtsumme|total general|total general|suma)$/

function isTotal(columns: HourColumns, row: string[]): boolean {
  const [first = '', ...others] = (['project', 'client', 'user', 'task', 'note'] as const).flatMap((field) =>
    columns.all(row, field),
  )
  return others.length === 0 && TOTAL.test(plainName(first))
}

function createTasks(board: BoardBuilder, columns: HourColumns, listedBy: 'project' | 'client') {
  const tagged = listedBy === 'project' ? 'client' : 'project'
  const none = columns.has(listedBy) ? { project: NO_PROJECT, client: NO_CLIENT }[listedBy] : null
  const tasks = new Map<string, number>()
  return (row: string[]): number => {
    const list = columns.first(row, listedBy) || none
    const title = columns.first(row, 'task') || columns.first(row, 'note') || NO_DESCRIPTION
    const key = `${list}\n${title}`
    const tags = [columns.first(row, tagged), ...columns.all(row, 'tags').flatMap((cell) => splitCell(cell, board.losses))]
    const known = tasks.get(key)
    if (known !== undefined) {
      board.tag(known, tags)
      return known
    }
    const nothing = { description: null, dueDate: null, createdBy: null, createdAt: null, updatedAt: null, doneAt: null }
    const id = board.task({ ...nothing, title, list, tags, closed: false, isDone: false })
    board.kept.add(key)
    tasks.set(key, id)
    return id
  }
}

function addEntry(board: BoardBuilder, columns: HourColumns, row: string[], task: number, span: Span) {
  const { start, end, seconds, hasTime } = span
  const note = columns.first(row, 'task') === '' ? null : shortened(columns.first(row, 'note')) || null
  const billable = !columns.has('billable') || isBillable(columns.first(row, 'billable'))
  const [email, name] = [columns.first(row, 'email'), columns.all(row, 'user').join(' ')]
  const known =
    email || name ? board.person((email || name).toLowerCase(), { name: name || email, email, member: true }) : undefined
  const person = known ?? board.personOf(null)
  const facts = { task, person, timeZone: 'UTC', note, billable, createdAt: null }
  if (hasTime) board.losses.add('timeWithoutZone')
  if (seconds % 60 !== 0) board.losses.add('entryRounded')
  const minutes = Math.max(1, Math.round(seconds / 60))
  if (minutes > MINUTES_MAX) board.losses.add('entrySplit', `${isoOf(start).slice(0, 10)}: ${minutes} minutes`)
  for (let done = 0; done < minutes; done += MINUTES_MAX) {
    const isLast = minutes - done <= MINUTES_MAX
    const from = start + done * 60_000
    const until = isLast ? Math.max(end, from) : from + MINUTES_MAX * 60_000
    const part = roundedMinutes((minutes - done) * 60_000)
    board.add('entries', {
      ...facts,
      day: isoOf(from).slice(0, 10),
      startTime: isoOf(from),
      endTime: hasTime ? isoOf(until) : null,
      minutes: part,
    })
  }
}

/** `differs`: the times contradict the duration. */
type Span = { start: number; end: number; seconds: number; hasTime: boolean; differs?: boolean }

type SpansOf = (row: string[], where: string) => Span[]

function weeklySpans(board: BoardBuilder, { header }: Table, fields: readonly (string | null)[], fileName: string): SpansOf {
  const columns = [...header.keys()].filter((at) => fields[at] === 'dayHours')
  const { days, isGuess } = daysOf(
    columns.map((at) => header[at] ?? ''),
    fileName,
  )
  if (isGuess) for (const at of columns) board.losses.add('monthFirst', header[at])
  return (row, where) =>
    columns.flatMap((at, nth) => {
      const cell = row[at]?.trim() ?? ''
      const seconds = durationIn(cell)
      const isReadable = seconds !== null && seconds <= LONGEST_SECONDS
      if (!isReadable && !/^[-–—]?$/.test(cell)) board.losses.add('entryValueUnread', `${where}, ${header[at]}: ${cell}`)
      const start = momentOf(days[nth] ?? '', 0)
      return isReadable && seconds > 0 ? { start, end: start + seconds * 1000, seconds, hasTime: false } : []
    })
}

const dailySpans =
  (board: BoardBuilder, columns: HourColumns, order: DayOrder): SpansOf =>
  (row, where) => {
    const date = columns.first(row, 'startDate')
    if (order === 'unknown' && isUnclear(date)) board.losses.add('monthFirst', date)
    const span = spanOf(board, columns, row, order)
    const example = `${where}: ${row.join(', ')}`
    if (!span) board.losses.add('rowWithoutHours', example)
    else if (span.seconds === 0) board.losses.add('entryEmpty', example)
    else if (span.differs) board.losses.add('timesDiffer', example)
    return span && span.seconds > 0 ? [span] : []
  }

/** The duration counts, not the times: programs round it before they export. */
function spanOf(board: BoardBuilder, columns: HourColumns, row: string[], order: DayOrder): Span | null {
  const from = readDate(columns.first(row, 'startDate'), order)
  if (!from) return null
  const until = readDate(columns.first(row, 'endDate'), order)
  const began = secondsIn(columns.first(row, 'startTime')) ?? from.seconds
  const ended = secondsIn(columns.first(row, 'endTime')) ?? until?.seconds ?? null
  const lengths = lengthsIn(columns, row)
  tellUnread(board, columns, row, { until, lengths })
  const stop = ended === null ? null : momentOf(until?.day ?? from.day, ended)
  const told = lengths.find((length) => length !== null)
  // No start time, but an end time.
  const start = began === null && stop !== null ? stop - (told ?? 0) * 1000 : momentOf(from.day, began ?? 0)
  // Without an end day it ended past midnight.
  const end = stop !== null && stop < start && !until ? stop + DAY_SECONDS * 1000 : stop
  const between = began === null || end === null || end < start ? null : (end - start) / 1000
  const seconds = told ?? between
  if (seconds === null || seconds > LONGEST_SECONDS || start < EARLIEST || start >= LATEST || (end ?? start) >= LATEST)
    return null
  const differs =
    [...lengths, between].some((length) => length !== null && Math.abs(length - seconds) >= 60) ||
    (end !== null && end < start) ||
    (until !== null && ended === null && !isWithin(until.day, start, seconds))
  return {
    start,
    end: end === null || end < start ? start + seconds * 1000 : end,
    seconds,
    hasTime: began !== null || ended !== null,
    differs,
  }
}

const DAY_SECONDS = 86_400
const isWithin = (day: string, start: number, seconds: number) =>
  day >= isoOf(start).slice(0, 10) && day <= isoOf(start + seconds * 1000).slice(0, 10)

/** The duration by each cell; null if unreadable. The first readable one counts. */
const lengthsIn = (columns: HourColumns, row: string[]): (number | null)[] => [
  ...columns.all(row, 'minutes').map(minutesIn),
  ...columns.all(row, 'duration').map(durationIn),
  ...columns.all(row, 'decimal').map(durationIn),
]

const minutesIn = (cell: string) => (/^\d{1,7}([.,]\d+)?$/.test(cell) ? Math.round(Number(cell.replace(',', '.')) * 60) : null)

type Readable = { until: ReadDate | null; lengths: (number | null)[] }

function tellUnread({ losses }: BoardBuilder, columns: HourColumns, row: string[], { until, lengths }: Readable) {
  const cell = (field: HourColumn) => columns.first(row, field)
  const unread = [
    ...(['startTime', 'endTime'] as const).map(cell).filter((time) => time !== '' && secondsIn(time) === null),
    ...(until ? [] : [cell('endDate')]),
    ...(['minutes', 'duration', 'decimal'] as const)
      .flatMap((field) => columns.all(row, field))
      .filter((_, nth) => lengths[nth] === null),
    ...[cell('billable')].filter((flag) => !isBillable(flag) && !isNo(flag)),
  ]
  for (const value of unread) if (value !== '') losses.add('entryValueUnread', value)
}

const isBillable = (cell: string) => isYes(cell) || /^(billable|abrechenbar|facturable)$/i.test(cell)

const LONGEST_SECONDS = 366 * 86_400
const EARLIEST = Date.parse('1970-01-02')
const LATEST = Date.parse('2999-12-31')

const momentOf = (day: string, seconds: number) => Date.parse(`${day}T00:00:00Z`) + seconds * 1000

const isoOf = (moment: number): string => new Date(moment).toISOString()
