import { mkdir, rm } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { thumbnailOf } from '../../attachments/server/lookup'
import type { BoardExportGrant } from '../../boards/server/grants'
import type { Services } from '../../server/context'
import { NoRoom } from '../../server/errors'
import { incomingPath } from '../../server/files/storage'
import { elapsedMs, pausedMinutes } from '../../time/limits'
import type { BoardRow, BoardTable, BoardTables } from '../schema'
import { spoolLines } from './backup'
import { readBoardRows } from './boardRows.store'
import { linesIn } from './format'
import { extensionOf, writeBoardArchive } from './writeArchive'

type Needed = Pick<Services, 'db' | 'files' | 'diskGuard' | 'config'>

/** A snapshot of a board. Rows go to the disk first, so that slow readers hold no transaction. */
export async function* boardArchive(
  { db, files, diskGuard, config }: Needed,
  grant: BoardExportGrant,
): AsyncGenerator<Uint8Array> {
  const folder = await incomingPath(config.dataDir)
  await mkdir(folder, { mode: 0o700 })
  const assertRoom = () => {
    if (diskGuard.disk().free < config.diskReserve) throw new NoRoom()
  }
  try {
    const lines: Partial<Record<BoardTable, () => AsyncIterable<string>>> = {}
    const now = await readBoardRows(db, grant, async (table, parts) => {
      lines[table] = await spoolLines(folder, table, passing(parts, assertRoom))
    })
    const { tables, names } = numbered((table) => rowsIn<Stored[typeof table]>(lines[table]?.()), now)
    yield* writeBoardArchive(tables, (name) => files.get(names.get(name) ?? ''))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function* passing(parts: AsyncIterable<string>, check: () => void): AsyncGenerator<string> {
  for await (const part of parts) {
    check()
    await setImmediate()
    yield part
  }
}

async function* rowsIn<Row>(lines: AsyncIterable<string> | undefined): AsyncGenerator<Row> {
  for await (const line of linesIn(lines ?? [])) yield JSON.parse(line)
}

/** Rows as the database has them; docs/archive.md says what becomes of them. */
type Stored = {
  [Table in BoardTable]: Table extends 'attachments'
    ? BoardRow<Table> & { filename: string; hasThumbnail: boolean }
    : Table extends 'entries'
      ? BoardRow<Table> & { status: string; runningSince: string | null; counted: number; confirmed: number }
      : BoardRow<Table>
}
type Read = <Table extends BoardTable>(table: Table) => AsyncIterable<Stored[Table]>

/** Renumbers the rows, so that archives of equal boards are equal. `names`: stored files by their names in the archive. */
function numbered(read: Read, now: number) {
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

/** A running timer counts as if paused at `now`. */
function countedBy({ status, minutes, endTime, ...timer }: Stored['entries'], now: number) {
  if (status === 'completed') return { minutes, endTime }
  return { minutes: status === 'ACTIVE' ? pausedMinutes(elapsedMs(timer, now), timer.confirmed) : minutes, endTime: null }
}

async function* withTime(entries: AsyncIterable<BoardRow<'entries'>>) {
  for await (const entry of entries) if (entry.minutes >= 1) yield entry
}
