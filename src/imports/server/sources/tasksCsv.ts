import { badRequest } from '../../../server/errors'
import { LISTS_MAX, type Reading, SINGLE_TASK_COLUMNS, type StatusChoice } from '../../schema'
import { guessColumn } from '../guessColumn'
import { type Converted, createBoard, type Kept } from './boardBuilder'
import { describe, type Field } from './cards'
import { isNo, isYes } from './cells'
import { type DayOrder, dayOrderOf, isUnclear, readDate, readRange } from './dates'
import { columnsOf, type Table, tellLeftColumns } from './table'
import { DATES, isWekan, TASK_SPELLINGS, type TasksContext } from './tasksCsvColumns'
import { addFile, addNote, assigneesIn, byRow, namesByIds, personIn, tagsIn } from './tasksCsvParts'
import { withPauses } from './text'

const NO_TITLES =
  'This CSV has no task column. Its first row must name the columns, and one of them must be “Title”, “Name”, “Task” or “Summary”.'

type Statuses = ReturnType<typeof createStatuses>

export async function convertTasks(
  table: Table,
  name: string,
  kept: Kept,
  fields: readonly (string | null)[],
  chosen: Reading,
): Promise<Converted> {
  const { header } = table
  const columns = columnsOf(table, fields, TASK_SPELLINGS)
  if (!columns.has('title')) throw badRequest(NO_TITLES)
  const board = createBoard('csv', { name, description: null, createdAt: null }, kept)
  const order = await dayOrderOf(table.rows.values().flatMap((row) => DATES.flatMap((date) => columns.all(row, date))))
  const names = await namesByIds({ board, header }, table.rows)
  const context: TasksContext = { board, columns, order, header, fields, names, hasBlanksBetween: isWekan(header) }
  const rows = byRow(columns)
  const statuses = createStatuses(context, chosen.statuses ?? {})
  const sections = new Set<string>()
  /** The last one in this section. */
  let task: number | null = null
  for await (const row of withPauses(table.rows)) {
    const { kind, list, parent } = rows(row)
    if (kind === 'section') task = null
    if (kind === 'task') task = addTask(context, statuses, row, list, parent)
    else if (kind === 'note' && task !== null) addNote(context, task, row)
    else if (kind === 'note') board.losses.add('commentOfNoTask', columns.first(row, 'title'))
    else if (kind === 'section' && list) sections.add(list)
    else board.losses.add('rowOfOtherKind', row.filter((cell) => cell !== '').join(', '))
    if (kind === 'task' && list) sections.delete(list)
    if (kind === 'note' || kind === 'section') tellBeside(context, row)
  }
  await tellLeftColumns(board, table, fields)
  for (const section of sections) board.losses.add('listUnused', section)
  if (board.rows.tasks.length === 0) throw badRequest('This CSV has no rows with tasks.')
  return { ...board.finish(), statuses: statuses.found() }
}

const OF_NOTES = ['type', 'indent', 'title', 'author', 'updated', 'leave']

function tellBeside({ board, header, fields }: TasksContext, row: string[]) {
  for (const [at, cell] of row.entries())
    if (cell.trim() !== '' && !OF_NOTES.includes(fields[at] ?? ''))
      board.losses.add('cellBeside', `${header[at] || `Column ${at + 1}`}: ${cell.trim()}`)
}

/** Longer cells are texts, not statuses. */
const STATE_MAX = 200

/** What becomes of the states in a column beside the list's; `'list'` leaves the status to the list. */
function createStatuses({ board, columns }: TasksContext, chosen: Record<string, StatusChoice>) {
  const isBesideList = columns.has('list')
  const counts = new Map<string, number>()
  const guess = (state: string): StatusChoice => {
    const column = guessColumn(state)
    return column === 'todo' ? 'list' : column
  }
  const choiceOf = (state: string) => (Object.hasOwn(chosen, state) ? chosen[state] : undefined) ?? guess(state)
  return {
    of(row: string[], list: string | null): StatusChoice {
      const state = isBesideList ? columns.first(row, 'state') : ''
      if (state === '' || state === list) return 'list'
      const isNew = !counts.has(state)
      if (isNew && (counts.size === LISTS_MAX || state.length > STATE_MAX)) return guess(state)
      if (isNew) board.kept.add(state)
      counts.set(state, (counts.get(state) ?? 0) + 1)
      return choiceOf(state)
    },
    found: () => [...counts].map(([name, tasks]) => ({ name, tasks, status: choiceOf(name) })),
  }
}

function addTask(context: TasksContext, statuses: Statuses, row: string[], list: string | null, parent: string | null): number {
  const { board, columns } = context
  const dates = datesIn(context, row)
  const byState = statuses.of(row, list)
  const completed = columns.first(row, 'completed')
  const isDone = dates.completed.read !== null || isYes(completed)
  const archived = columns.first(row, 'archived')
  const createdBy = personIn(context, columns.first(row, 'author'))
  const { assignees, spareEmails } = assigneesIn(context, row)
  const task = board.task({
    title: columns.first(row, 'title'),
    description: describe({
      text: columns.first(row, 'description'),
      fields: linesOf(context, row, { parent, dates: Object.values(dates).flatMap(({ lines }) => lines), emails: spareEmails }),
    }),
    list,
    closed: isYes(archived) || dates.archived.read !== null,
    isDone,
    status: byState === 'list' ? null : byState,
    dueDate: dates.due.read?.day ?? null,
    tags: columns.all(row, 'tags').flatMap((cell) => tagsIn(context, cell)),
    createdBy,
    createdAt: dates.created.read?.moment ?? null,
    updatedAt: dates.updated.read?.moment ?? null,
    doneAt: dates.completed.read?.moment ?? null,
  })
  board.assign(task, assignees)
  for (const cell of columns.all(row, 'comments')) addNote(context, task, row, cell)
  for (const cell of columns.all(row, 'attachments')) addFile(context, task, cell)
  return task
}

type DateField = (typeof DATES)[number]

/** The first readable date of several columns; the others become lines. */
function dateIn({ board, columns, order }: TasksContext, row: string[], name: DateField) {
  const lines: Field[] = []
  let read: ReturnType<typeof readRange> = null
  for (const { name: column, value } of columns.cells(row, name)) {
    const found = readAs(name, value, order)
    if (found && order === 'unknown' && isUnclear(value)) board.losses.add('monthFirst', value)
    if (!found && !isFlag(name, value)) board.losses.add('dateUnread', value)
    if (found && !read) {
      read = found
      if (name === 'due' && found.seconds) board.losses.add('dueTime', value)
      if (found.from !== null) lines.push({ name: `${column}, from`, value: found.from })
      if (name === 'archived') lines.push({ name: column, value })
    } else if (found ? found.moment !== read?.moment : !isFlag(name, value)) lines.push({ name: column, value })
  }
  return { read, lines }
}

const readAs = (name: DateField, value: string, order: DayOrder) => {
  if (name === 'due') return readRange(value, order)
  const date = readDate(value, order)
  return date && { ...date, from: null }
}

const isFlag = (name: DateField, cell: string) => (name === 'completed' || name === 'archived') && (isYes(cell) || isNo(cell))

const datesIn = (context: TasksContext, row: string[]) => ({
  due: dateIn(context, row, 'due'),
  created: dateIn(context, row, 'created'),
  updated: dateIn(context, row, 'updated'),
  completed: dateIn(context, row, 'completed'),
  archived: dateIn(context, row, 'archived'),
})

const lineOf = (name: string, value: string): Field[] => (value.trim() === '' ? [] : [{ name, value }])

type Unplaced = { parent: string | null; dates: Field[]; emails: string }

function linesOf({ columns, header, fields, board }: TasksContext, row: string[], { parent, dates, emails }: Unplaced): Field[] {
  const others = fields.flatMap((kind, at) => (kind === null ? lineOf(header[at] || `Column ${at + 1}`, row[at] ?? '') : []))
  const spare = [
    ...([...SINGLE_TASK_COLUMNS, 'email'] as const).flatMap((name) => columns.spare(row, name)),
    ...lineOf(columns.nameOf('email'), emails),
  ]
  const state =
    columns.has('list') && columns.first(row, 'state') !== columns.first(row, 'list') ? columns.first(row, 'state') : ''
  for (const { name } of [...others, ...spare]) board.losses.add('otherColumn', name)
  return [
    ...lineOf('Part of', parent ?? ''),
    ...lineOf(columns.nameOf('state'), state),
    ...dates,
    ...spare,
    ...others,
    ...lineOf('Other', row.slice(header.length).join(', ')),
  ]
}
