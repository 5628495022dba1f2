import { setImmediate } from 'node:timers/promises'
import type { BoardRow, BoardTable } from '../../archive/schema'
import type { openBoardArchive } from '../../archive/server/openBoardArchive'
import { BOARD_TABLES } from '../../archive/server/writeArchive'
import type { AcceptedFiles } from '../../attachments/schema'
import * as stored from '../../db/tables'
import { numberText } from '../../format'
import { bytesPerRow } from '../../server/accountQuota/store'
import { badRequest } from '../../server/errors'
import { BOARD_QUOTA } from '../../tasks/limits'
import type { OwnUser } from '../../users/schema'
import { LISTS_MAX, type Loss, PEOPLE_MAX, type Preview, type WorkCounts } from '../schema'
import { createFitting } from './fitToLimits'
import { guessColumn } from './guessColumn'
import { byWeight, createLosses } from './sources/losses'

export type BoardArchive = Awaited<ReturnType<typeof openBoardArchive>>

const ROWS_AT_ONCE = 200
/** Deleting a larger board would make everyone wait. */
const ROWS_MAX = { files: 50_000, comments: 250_000, 'time entries': 250_000 }
/** Characters of all list names: the preview sends them. */
const LIST_NAMES_MAX = 100_000

const NO_WORK: WorkCounts = { comments: 0, attachments: 0, entries: 0, minutes: 0 }

function assertFew(what: keyof typeof ROWS_MAX | 'people', count: number) {
  const max = what === 'people' ? PEOPLE_MAX : ROWS_MAX[what]
  if (count > max) throw badRequest(`A board with more than ${numberText(max)} ${what} cannot be imported.`)
}

/** Trusts the manifest, which reading enforces. */
function assertFewRows({ manifest }: BoardArchive) {
  const rows = new Map<string, number>(manifest.tables.map((table) => [table.name, table.rows]))
  assertFew('people', rows.get('people') ?? 0)
  assertFew('comments', rows.get('comments') ?? 0)
  assertFew('files', rows.get('attachments') ?? 0)
  if ((rows.get('tasks') ?? 0) > BOARD_QUOTA.tasks)
    throw badRequest(`A board can have at most ${numberText(BOARD_QUOTA.tasks)} tasks, and this file has more.`)
}

/** Reads an archive once; `bytes` is the size of its board. Throws ArchiveFailed, BAD_REQUEST if no board could hold it. */
export async function previewOf(
  archive: BoardArchive,
  viewer: OwnUser,
  known: Loss[],
  accepted: AcceptedFiles,
): Promise<{ preview: Preview; bytes: number }> {
  assertFewRows(archive)
  const losses = createLosses()
  const counts = { tasks: 0, closed: 0, ...NO_WORK }
  const onClosed = { ...NO_WORK }
  const closed = new Set<number>()
  const countsOf = (task: number): WorkCounts => (closed.has(task) ? onClosed : counts)
  const lists = new Map<string, { tasks: number; closed: number }>()
  const people = new Map<number, Preview['people'][number]>()
  const fit = createFitting(losses.add, accepted)
  let name = ''
  let listNames = 0
  let bytes = 0

  /** Counts a row and notes what it loses. Throws BAD_REQUEST if there are too many. */
  const count: { [Table in BoardTable]: ((row: BoardRow<Table>) => void) | null } = {
    assignees: null,
    board(row) {
      name = fit.board(row).name
    },
    people(row) {
      const { id, name, email, former } = fit.people(row)
      const isMe = viewer.emailVerified && viewer.email === email
      people.set(row.id, people.get(id) ?? { id, name, email, isMe, rows: 0, ...(former && { former }) })
    },
    tasks(row) {
      fit.tasks(row)
      const kind = row.closed ? 'closed' : 'tasks'
      counts[kind] += 1
      if (row.closed) closed.add(row.id)
      if (row.list === null) return
      if (!lists.has(row.list)) listNames += row.list.length
      const list = lists.get(row.list) ?? { tasks: 0, closed: 0 }
      lists.set(row.list, list)
      list[kind] += 1
      if (lists.size > LISTS_MAX) throw badRequest(`A board with more than ${LISTS_MAX} lists cannot be imported.`)
      if (listNames > LIST_NAMES_MAX) throw badRequest('The names of this board’s lists are too long to import.')
    },
    comments(row) {
      countsOf(row.task).comments += fit.comments(row).length
    },
    attachments(row) {
      const size = row.file === null ? null : archive.size(row.file)
      if (!fit.attachments(row, size)) return
      countsOf(row.task).attachments += 1
      bytes += size ?? 0
    },
    entries(row) {
      const entry = fit.entries(row)
      if (!entry) return
      const found = countsOf(row.task)
      found.entries += 1
      found.minutes += entry.minutes
      assertFew('time entries', counts.entries + onClosed.entries)
    },
    rates(row) {
      fit.rates(row, people.get(row.person)?.id ?? row.person)
    },
    activities(row) {
      fit.activities(row, (person) => person)
    },
  }

  const countRow = (person: number | null) => {
    const found = person === null ? undefined : people.get(person)
    if (found) found.rows += 1
  }
  for (const table of BOARD_TABLES) {
    let read = 0
    for await (const row of archive.rows(table)) {
      // TypeScript does not see that the row is of this table.
      count[table]?.(row as never)
      bytes += storedBytes(table, row)
      if ('person' in row) countRow(row.person)
      if ('createdBy' in row) countRow(row.createdBy)
      read += 1
      if (read % ROWS_AT_ONCE === 0) await setImmediate()
    }
  }
  const preview = {
    name: name || 'Imported board',
    counts: { ...counts, ...(counts.closed > 0 && { onClosed }) },
    lists: [...lists].map(([name, { tasks, closed }]) => ({
      name,
      tasks,
      status: guessColumn(name),
      ...(closed > 0 && { closed }),
    })),
    people: [...new Set(people.values())],
    losses: byWeight([...known, ...losses.losses]),
  }
  return { preview, bytes }
}

const ROW_BYTES: Record<BoardTable, number> = {
  board: bytesPerRow(stored.boards),
  people: bytesPerRow(stored.users) + bytesPerRow(stored.boardMembers),
  tasks: bytesPerRow(stored.tasks),
  assignees: bytesPerRow(stored.taskAssignees),
  comments: bytesPerRow(stored.comments),
  attachments: bytesPerRow(stored.attachments),
  entries: bytesPerRow(stored.timeEntries),
  rates: bytesPerRow(stored.rates),
  activities: bytesPerRow(stored.activities),
}

/** The bytes of a stored row, without its file. */
export const storedBytes = (table: BoardTable, row: object): number =>
  Object.values(row).reduce((sum: number, value) => sum + textBytes(value), ROW_BYTES[table])

function textBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  return typeof value === 'object' && value !== null ? Buffer.byteLength(JSON.stringify(value)) : 0
}
