import { thumbnailOf } from '../../../attachments/server/lookup'
import { elapsedMs, pausedMinutes } from '../../../time/timers/basics'
import type { BoardRow, BoardTable, BoardTables } from '../../boardRows'
import { extensionOf } from '../written'

/** As the database has them: docs/archive.md names what becomes of them. */
export type Stored = {
  [Table in BoardTable]: Table extends 'attachments'
    ? BoardRow<Table> & { filename: string; hasThumbnail: boolean }
    : Table extends 'entries'
      ? BoardRow<Table> & { status: string; runningSince: string | null; counted: number; confirmed: number }
      : BoardRow<Table>
}
type Read = <Table extends BoardTable>(table: Table) => AsyncIterable<Stored[Table]>

/** The tables with numbers of their own, so that archives of equal boards are equal, and the files by their names there. */
export function numbered(read: Read, now: number) {
  const [people, tasks, files] = [new Map<number, number>(), new Map<number, number>(), new Map<string, string>()]
  let attached = 0
  const ofTask = <Row extends { task: number; person: number }>(row: Row) => ({
    ...row,
    task: numberOf(tasks, row.task),
    person: numberOf(people, row.person),
  })
  const tables: BoardTables = {
    board: read('board'),
    people: mapped(read('people'), ({ former, ...row }) => ({
      ...row,
      id: nextNumber(people, row.id),
      ...(former && { former }),
    })),
    tasks: mapped(read('tasks'), (row) => ({
      ...row,
      id: nextNumber(tasks, row.id),
      createdBy: row.createdBy && numberOf(people, row.createdBy),
      list: null,
      closed: false,
    })),
    assignees: mapped(read('assignees'), ofTask),
    comments: mapped(read('comments'), ofTask),
    attachments: mapped(read('attachments'), ({ filename, hasThumbnail, ...row }) => {
      attached += 1
      const file = `${attached}${extensionOf(row.name)}`
      const thumbnail = hasThumbnail ? `${attached}-thumbnail.webp` : null
      files.set(file, filename)
      if (thumbnail) files.set(thumbnail, thumbnailOf(filename))
      return { ...ofTask(row), file, thumbnail, url: null }
    }),
    entries: withTime(mapped(read('entries'), (row) => ({ ...ofTask(row), ...countedBy(row, now) }))),
    rates: mapped(read('rates'), (row) => ({ ...row, person: numberOf(people, row.person) })),
    activities: mapped(read('activities'), ({ task, person, detail, ...row }) => ({
      ...row,
      task: task && (tasks.get(task) ?? null),
      person: numberOf(people, person),
      detail: 'userId' in detail ? { ...detail, userId: people.get(Number(detail.userId)) ?? null } : detail,
    })),
  }
  return { tables, names: files }
}

async function* mapped<From, To>(rows: AsyncIterable<From>, change: (row: From) => To): AsyncGenerator<To> {
  for await (const row of rows) yield change(row)
}

function nextNumber(numbers: Map<number, number>, id: number): number {
  numbers.set(id, numbers.size + 1)
  return numbers.size
}

function numberOf(numbers: Map<number, number>, id: number): number {
  const number = numbers.get(id)
  if (number === undefined) throw new Error(`nothing has the number ${id}`)
  return number
}

/** A timer has what it would have counted had it been paused at that moment. */
function countedBy({ status, minutes, endTime, ...timer }: Stored['entries'], now: number) {
  if (status === 'completed') return { minutes, endTime }
  return { minutes: status === 'ACTIVE' ? pausedMinutes(elapsedMs(timer, now), timer.confirmed) : minutes, endTime: null }
}

async function* withTime(entries: AsyncIterable<BoardRow<'entries'>>) {
  for await (const entry of entries) if (entry.minutes >= 1) yield entry
}
