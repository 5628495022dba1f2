import { badRequest } from '../../../server/errors'
import { columnOf } from '../../schema'
import { columnsOf, isYes, partsOf } from './columns'
import { type Converted, createBoard } from './converted'
import type { Table } from './csv'
import { dayOrderOf, isUnclear, readDate } from './dates'
import { describe } from './description'
import { COLUMNS, type Columns, DATES, type Reading } from './tasksCsvColumns'
import { addFile, addNote, byRow } from './tasksCsvParts'
import { peopleIn } from './tasksCsvPeople'
import { withPauses } from './withPauses'

const NO_TITLES =
  'This CSV names no tasks: its first line needs a name for each column, and one of them has to be “Title”, “Name”, “Task” or “Summary”.'

/** A table of tasks, with columns as most programs name them. */
export async function convertTasks(table: Table, name: string): Promise<Converted> {
  const columns = columnsOf(table, COLUMNS)
  if (!columns.has('title')) throw badRequest(NO_TITLES)
  const board = createBoard('csv', { name, description: null, createdAt: null })
  const order = await dayOrderOf(table.rows.values().flatMap((row) => DATES.flatMap((date) => columns.all(row, date))))
  const reading = { board, columns, order, header: table.header }
  const rows = byRow(columns)
  for await (const row of withPauses(table.rows)) {
    const { kind, list, parent } = rows(row)
    if (kind === 'task') addTask(reading, row, list, parent)
    else if (kind === 'note') addNote(reading, row)
  }
  if (board.rows.tasks.length === 0) throw badRequest('This CSV has no row with a task.')
  return board.finish()
}

function addTask(reading: Reading, row: string[], list: string | null, parent: string | null) {
  const { board, columns } = reading
  const dates = {
    due: dateIn(reading, row, 'due'),
    created: dateIn(reading, row, 'created'),
    updated: dateIn(reading, row, 'updated'),
  }
  const done = dateIn(reading, row, 'completed')
  const author = peopleIn(board, columns.first(row, 'author'), '', false)[0]
  const task = board.task({
    title: columns.first(row, 'title'),
    description: describe({ text: columns.all(row, 'description').join('\n\n'), fields: fieldsOf(reading, row, parent) }),
    list,
    closed: isYes(columns.first(row, 'archived')),
    isDone: done !== null || isYes(columns.first(row, 'completed')) || isDoneBy(columns, row, list),
    dueDate: dates.due?.day ?? null,
    tags: columns.all(row, 'tags').flatMap(partsOf),
    createdBy: author ?? null,
    createdAt: dates.created?.moment ?? null,
    updatedAt: dates.updated?.moment ?? null,
    doneAt: done?.moment ?? null,
  })
  board.assign(task, peopleIn(board, columns.all(row, 'assignee').join('\n'), columns.first(row, 'email'), true))
  for (const cell of columns.all(row, 'comments')) addNote(reading, row, cell)
  for (const cell of columns.all(row, 'attachments')) addFile(reading, cell)
}

/** By a state beside the list in which it is. */
const isDoneBy = (columns: Columns, row: string[], list: string | null) => {
  const state = columns.first(row, 'state')
  return state !== '' && state !== list && columnOf(state) === 'done'
}

function dateIn({ board, columns, order }: Reading, row: string[], name: (typeof DATES)[number]) {
  const cell = columns.first(row, name)
  const date = readDate(cell, order)
  if (date && order === 'unknown' && isUnclear(cell)) board.losses.add('dates that were read as month/day', cell)
  if (date && name === 'due' && date.seconds) board.losses.add('times of due dates, of which the day is kept', cell)
  return date
}

/** What no column of wrk takes is kept in the description. */
function fieldsOf({ columns, order, header, board }: Reading, row: string[], parent: string | null) {
  const field = (name: string, value: string) => (value.trim() === '' ? [] : [{ name, value }])
  const unread = DATES.flatMap((name) => {
    const cell = columns.first(row, name)
    const isRead = readDate(cell, order) !== null || (name === 'completed' && (isYes(cell) || isNo(cell)))
    if (!isRead && cell !== '') board.losses.add('dates that were not understood, now lines in the description', cell)
    return isRead ? [] : field(columns.nameOf(name), cell)
  })
  const others = columns.others.flatMap((column) => field(header[column] || `Column ${column + 1}`, row[column] ?? ''))
  for (const { name } of others) board.losses.add('values of other columns, now lines in the description', name)
  const state = columns.first(row, 'state') === columns.first(row, 'list') ? '' : columns.first(row, 'state')
  const beyond = row.slice(header.length).join(', ')
  return [
    ...field('Part of', parent ?? ''),
    ...field(columns.nameOf('state'), state),
    ...unread,
    ...others,
    ...field('Other', beyond),
  ]
}

const isNo = (cell: string) => /^(no|false|n|0|nein|non|-|☐|unchecked)$/i.test(cell)
