import { badRequest } from '../../../server/errors'
import { MINUTES_MAX } from '../../../time/entries/basics'
import { roundedMinutes } from '../../../time/timers/basics'
import type { ImportSource, Reading } from '../../schema'
import { ENTRIES_SPLIT } from '../lossKinds'
import { splitCell } from './cells'
import { columnsOf, createUnread, plainName } from './columns'
import { type BoardBuilder, type Converted, createBoard } from './converted'
import type { Table } from './csv'
import { dayOrderOf } from './dates'
import { HOUR_SPELLINGS, type HourColumns } from './hoursColumns'
import { dailySpans, isBillable, isoOf, type Span, weeklySpans } from './hoursSpans'
import type { Kept } from './kept'
import { withPauses } from './withPauses'

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

/** Each project is a list, or each client, and each task or description within it a task. */
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
  const unread = createUnread(board, table, fields)
  const taskOf = createTasks(board, columns, listedBy)
  const spansOf = columns.has('dayHours') ? weeklySpans(board, table, fields, name) : dailySpans(board, columns, order)
  for await (const [at, row] of withPauses(table.rows.entries())) {
    unread.look(row)
    const where = `row ${at + 2}`
    if (columns.has('dayHours') && isTotal(columns, row)) {
      board.losses.add('rows of totals: left out', `${where}: ${row.join(', ')}`)
      continue
    }
    tellSpare(board, columns, row, table.header.length)
    for (const span of spansOf(row, where)) addEntry(board, columns, row, taskOf(row), span)
  }
  unread.tell()
  if (board.rows.entries.length === 0) throw badRequest('This CSV has no row with hours.')
  return board.finish()
}

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
  for (const value of [...spare, ...beyond])
    losses.add('second values for one thing, and cells without a column: left out', value)
}

const TOTAL = /^(?:(?:grand|weekly|overall) )?totals?(?: hours)?$|^(?:gesamt|summe|gesamtsumme|total general|total general|suma)$/

/** A row that sums up the others of a weekly report. */
function isTotal(columns: HourColumns, row: string[]): boolean {
  const [first = '', ...others] = (['project', 'client', 'user', 'task', 'note'] as const).flatMap((field) =>
    columns.all(row, field),
  )
  return others.length === 0 && TOTAL.test(plainName(first))
}

function createTasks(board: BoardBuilder, columns: HourColumns, listedBy: 'project' | 'client') {
  const tagged = listedBy === 'project' ? 'client' : 'project'
  const none = columns.has(listedBy) ? { project: NO_PROJECT, client: NO_CLIENT }[listedBy] : null
  const tasks = new Map<string, { id: number; tags: string[]; known: Set<string> }>()
  return (row: string[]): number => {
    const list = columns.first(row, listedBy) || none
    const title = columns.first(row, 'task') || columns.first(row, 'note') || NO_DESCRIPTION
    const key = `${list}\n${title}`
    const tags = [columns.first(row, tagged), ...columns.all(row, 'tags').flatMap((cell) => splitCell(cell, board.losses))]
    const task = tasks.get(key)
    if (task) {
      for (const tag of tags)
        if (tag !== '' && task.known.size < task.known.add(tag).size) {
          board.kept.add(tag)
          task.tags.push(tag)
        }
      return task.id
    }
    const nothing = { description: null, dueDate: null, createdBy: null, createdAt: null, updatedAt: null, doneAt: null }
    const id = board.task({ ...nothing, title, list, tags, closed: false, isDone: false })
    board.kept.add(key)
    const own = board.rows.tasks[id - 1]?.tags ?? []
    tasks.set(key, { id, tags: own, known: new Set(own) })
    return id
  }
}

function addEntry(board: BoardBuilder, columns: HourColumns, row: string[], task: number, span: Span) {
  const { start, end, seconds, hasTime } = span
  const note = columns.first(row, 'task') === '' ? null : columns.first(row, 'note') || null
  const billable = !columns.has('billable') || isBillable(columns.first(row, 'billable'))
  const [email, name] = [columns.first(row, 'email'), columns.all(row, 'user').join(' ')]
  const known =
    email || name ? board.person((email || name).toLowerCase(), { name: name || email, email, member: true }) : undefined
  const person = known ?? board.personOf(null)
  const facts = { task, person, timeZone: 'UTC', note, billable, createdAt: null }
  if (hasTime) board.losses.add('times of day, read as UTC since the file names no time zone')
  if (seconds % 60 !== 0) board.losses.add('time entries with seconds, now of whole minutes, of one at least')
  const minutes = Math.max(1, Math.round(seconds / 60))
  if (minutes > MINUTES_MAX) board.losses.add(ENTRIES_SPLIT, `${isoOf(start).slice(0, 10)}: ${minutes} minutes`)
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
