import type { HourField } from '../../schema'
import { isNo, isYes } from './cells'
import type { BoardBuilder } from './converted'
import type { Table } from './csv'
import { type DayOrder, durationIn, isUnclear, type ReadDate, readDate, secondsIn } from './dates'
import type { HourColumns } from './hoursColumns'
import { daysOf } from './weeks'

/** Without an end where no hour is told; `differs` where its times tell another length than its duration. */
export type Span = { start: number; end: number; seconds: number; hasTime: boolean; differs?: boolean }

type SpansOf = (row: string[], where: string) => Span[]

/** A row that has a column for each day. */
export function weeklySpans(
  board: BoardBuilder,
  { header }: Table,
  fields: readonly (string | null)[],
  fileName: string,
): SpansOf {
  const columns = [...header.keys()].filter((at) => fields[at] === 'dayHours')
  const { days, isGuess } = daysOf(
    columns.map((at) => header[at] ?? ''),
    fileName,
  )
  if (isGuess) for (const at of columns) board.losses.add('dates that were read as month/day', header[at])
  return (row, where) =>
    columns.flatMap((at, nth) => {
      const cell = row[at]?.trim() ?? ''
      const seconds = durationIn(cell)
      const isReadable = seconds !== null && seconds <= LONGEST_SECONDS
      if (!isReadable && !/^[-–—]?$/.test(cell))
        board.losses.add('values of time entries that were not understood: left out', `${where}, ${header[at]}: ${cell}`)
      const start = momentOf(days[nth] ?? '', 0)
      return isReadable && seconds > 0 ? { start, end: start + seconds * 1000, seconds, hasTime: false } : []
    })
}

/** A row that is one entry. */
export const dailySpans =
  (board: BoardBuilder, columns: HourColumns, order: DayOrder): SpansOf =>
  (row, where) => {
    const date = columns.first(row, 'startDate')
    if (order === 'unknown' && isUnclear(date)) board.losses.add('dates that were read as month/day', date)
    const span = spanOf(board, columns, row, order)
    const example = `${where}: ${row.join(', ')}`
    if (!span) board.losses.add('rows without a readable start and duration', example)
    else if (span.seconds === 0) board.losses.add('time entries without a duration', example)
    else if (span.differs) board.losses.add('times that differ from the duration, which counts', example)
    return span && span.seconds > 0 ? [span] : []
  }

/** Programs round the duration that they export, and not the times beside it: so it is what counts. */
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
  // Of what has no hour at which it began, but one at which it ended.
  const start = began === null && stop !== null ? stop - (told ?? 0) * 1000 : momentOf(from.day, began ?? 0)
  // Past midnight, where no day is told on which it ended.
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

/** How long it was, by each cell that tells; null by one that cannot be read. The first that can counts. */
const lengthsIn = (columns: HourColumns, row: string[]): (number | null)[] => [
  ...columns.all(row, 'minutes').map(minutesIn),
  ...columns.all(row, 'duration').map(durationIn),
  ...columns.all(row, 'decimal').map(durationIn),
]

const minutesIn = (cell: string) => (/^\d{1,7}([.,]\d+)?$/.test(cell) ? Math.round(Number(cell.replace(',', '.')) * 60) : null)

type Readable = { until: ReadDate | null; lengths: (number | null)[] }

function tellUnread({ losses }: BoardBuilder, columns: HourColumns, row: string[], { until, lengths }: Readable) {
  const cell = (field: HourField) => columns.first(row, field)
  const unread = [
    ...(['startTime', 'endTime'] as const).map(cell).filter((time) => time !== '' && secondsIn(time) === null),
    ...(until ? [] : [cell('endDate')]),
    ...(['minutes', 'duration', 'decimal'] as const)
      .flatMap((field) => columns.all(row, field))
      .filter((_, nth) => lengths[nth] === null),
    ...[cell('billable')].filter((flag) => !isBillable(flag) && !isNo(flag)),
  ]
  for (const value of unread) if (value !== '') losses.add('values of time entries that were not understood: left out', value)
}

export const isBillable = (cell: string) => isYes(cell) || /^(billable|abrechenbar|facturable)$/i.test(cell)

const LONGEST_SECONDS = 366 * 86_400
const EARLIEST = Date.parse('1970-01-02')
const LATEST = Date.parse('2999-12-31')

const momentOf = (day: string, seconds: number) => Date.parse(`${day}T00:00:00Z`) + seconds * 1000

export const isoOf = (moment: number): string => new Date(moment).toISOString()
