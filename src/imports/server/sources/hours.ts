import { badRequest } from '../../../server/errors'
import { MINUTES_MAX } from '../../../time/entries/basics'
import { roundedMinutes } from '../../../time/timers/basics'
import { ENTRIES_SPLIT } from '../lossKinds'
import { columnsOf, isYes, partsOf } from './columns'
import { type BoardBuilder, type Converted, createBoard } from './converted'
import type { Table } from './csv'
import { type DayOrder, dayOrderOf, durationIn, isUnclear, readDate, secondsIn } from './dates'
import { withPauses } from './withPauses'

const COLUMNS = {
  project: ['project', 'project name'],
  client: ['client', 'client name'],
  task: ['task', 'task name'],
  description: ['description', 'time entry', 'time entry description'],
  user: ['user', 'member', 'user name'],
  email: ['email', 'user email', 'member email'],
  tags: ['tags', 'tag'],
  billable: ['billable'],
  startDate: ['start date'],
  startTime: ['start time'],
  endDate: ['end date', 'stop date'],
  endTime: ['end time', 'stop time'],
  duration: ['duration', 'duration (h)'],
  decimal: ['duration (decimal)', 'decimal hours'],
}
type Columns = ReturnType<typeof columnsOf<keyof typeof COLUMNS>>

const NO_PROJECT = '(no project)'
const NO_DESCRIPTION = '(no description)'

/** Whether a table is of hours: what Toggl Track or Clockify call a detailed report. */
export function isHours(table: Table): boolean {
  const { has, others } = columnsOf(table, COLUMNS)
  const isSummary =
    columnsOf(table, { time: ['time (h)', 'time (decimal)'] }).has('time') ||
    (has('duration') && has('project') && others.length === 0)
  if (isSummary && !has('startDate'))
    throw badRequest('This is a summary of hours, without their days: export the detailed report as CSV.')
  return has('startDate') && (has('duration') || has('decimal') || has('endTime'))
}

/** Each project is a list, and each task or description within it a task. */
export async function convertHours(table: Table, name: string): Promise<Converted> {
  const columns = columnsOf(table, COLUMNS)
  const isClockify = columns.has('decimal') || columns.nameOf('duration').toLowerCase() === 'duration (h)'
  const board = createBoard(isClockify ? 'clockify' : 'toggl', { name, description: null, createdAt: null })
  const order = await dayOrderOf(table.rows.values().map((row) => columns.first(row, 'startDate')))
  const unread = new Set<number>()
  const taskOf = createTasks(board, columns)
  for await (const [at, row] of withPauses(table.rows.entries())) {
    for (const column of columns.others) if (row[column]) unread.add(column)
    const date = columns.first(row, 'startDate')
    if (order === 'unknown' && isUnclear(date)) board.losses.add('dates that were read as month/day', date)
    const span = spanOf(columns, row, order)
    if (!span) board.losses.add('rows without a readable start and duration', `row ${at + 2}: ${row.join(', ')}`)
    else if (span.seconds === 0) board.losses.add('time entries without a duration', `row ${at + 2}: ${row.join(', ')}`)
    else addEntry(board, columns, row, taskOf(row), span)
  }
  for (const column of unread) board.losses.add('columns that are not read', table.header[column])
  if (board.rows.entries.length === 0) throw badRequest('This CSV has no row with hours.')
  return board.finish()
}

function createTasks(board: BoardBuilder, columns: Columns) {
  const tasks = new Map<string, { id: number; tags: string[]; known: Set<string> }>()
  return (row: string[]): number => {
    const list = columns.first(row, 'project') || NO_PROJECT
    const title = columns.first(row, 'task') || columns.first(row, 'description') || NO_DESCRIPTION
    const key = `${list}\n${title}`
    const tags = [columns.first(row, 'client'), ...partsOf(columns.first(row, 'tags'))]
    const task = tasks.get(key)
    if (task) {
      for (const tag of tags) if (tag !== '' && task.known.size < task.known.add(tag).size) task.tags.push(tag)
      return task.id
    }
    const nothing = { description: null, dueDate: null, createdBy: null, createdAt: null, updatedAt: null, doneAt: null }
    const id = board.task({ ...nothing, title, list, tags, closed: false, isDone: false })
    const own = board.rows.tasks[id - 1]?.tags ?? []
    tasks.set(key, { id, tags: own, known: new Set(own) })
    return id
  }
}

type Span = { start: number; end: number; seconds: number }

function spanOf(columns: Columns, row: string[], order: DayOrder): Span | null {
  const from = readDate(columns.first(row, 'startDate'), order)
  if (!from) return null
  const start = momentOf(from.day, secondsIn(columns.first(row, 'startTime')) ?? from.seconds ?? 0)
  const lasted = durationIn(columns.first(row, 'duration')) ?? durationIn(columns.first(row, 'decimal'))
  const until = readDate(columns.first(row, 'endDate'), order) ?? from
  const time = secondsIn(columns.first(row, 'endTime'))
  const end = time === null ? start + (lasted ?? 0) * 1000 : momentOf(until.day, time)
  const seconds = lasted ?? Math.max(0, (end - start) / 1000)
  const isReal = seconds <= LONGEST_SECONDS && start >= EARLIEST && start < LATEST && end < LATEST
  return !isReal || (time === null && lasted === null)
    ? null
    : { start, end: end < start ? start + seconds * 1000 : end, seconds }
}

const LONGEST_SECONDS = 366 * 86_400
const EARLIEST = Date.parse('1970-01-02')
const LATEST = Date.parse('2999-12-31')

const momentOf = (day: string, seconds: number) => Date.parse(`${day}T00:00:00Z`) + seconds * 1000

function addEntry(board: BoardBuilder, columns: Columns, row: string[], task: number, { start, end, seconds }: Span) {
  const note = columns.first(row, 'task') === '' ? null : columns.first(row, 'description') || null
  const billable = !columns.has('billable') || isYes(columns.first(row, 'billable'))
  const [email, name] = [columns.first(row, 'email'), columns.first(row, 'user')]
  const known =
    email || name ? board.person((email || name).toLowerCase(), { name: name || email, email, member: true }) : undefined
  const person = known ?? board.personOf(null)
  const facts = { task, person, timeZone: 'UTC', note, billable, createdAt: null }
  board.losses.add('times of day, read as UTC since the file names no time zone')
  if (seconds % 60 !== 0) board.losses.add('time entries with seconds, now of whole minutes, of one at least')
  const minutes = Math.max(1, Math.round(seconds / 60))
  if (minutes > MINUTES_MAX) board.losses.add(ENTRIES_SPLIT, `${isoOf(start).slice(0, 10)}: ${minutes} minutes`)
  for (let done = 0; done < minutes; done += MINUTES_MAX) {
    const isLast = minutes - done <= MINUTES_MAX
    const from = start + done * 60_000
    const until = isLast ? Math.max(end, from) : from + MINUTES_MAX * 60_000
    const part = roundedMinutes((minutes - done) * 60_000)
    board.rows.entries.push({
      ...facts,
      day: isoOf(from).slice(0, 10),
      startTime: isoOf(from),
      endTime: isoOf(until),
      minutes: part,
    })
  }
}

const isoOf = (moment: number) => new Date(moment).toISOString()
