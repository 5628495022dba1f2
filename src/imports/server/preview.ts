import { setImmediate } from 'node:timers/promises'
import type { BoardRow, BoardTable } from '../../archive/boardRows'
import type { openBoardArchive } from '../../archive/server/openedBoard'
import { numberText } from '../../basics'
import { BOARD_DESCRIPTION_MAX, BOARD_NAME_MAX } from '../../boards/basics'
import { badRequest } from '../../server/errors'
import { BOARD_QUOTA } from '../../tasks/basics'
import type { OwnUser } from '../../users/schema'
import { LISTS_MAX, type Loss, PEOPLE_MAX, type Preview } from '../schema'
import { createActivityFitting } from './fit/activities'
import { cut } from './fit/cut'
import { createPersonFitting, createRateFitting, fittingAttachment, fittingComments, fittingEntry } from './fit/others'
import { storedBytes } from './fit/storedBytes'
import { createTaskFitting } from './fit/tasks'
import { BOARD_DESCRIPTION_CUT } from './lossKinds'
import { byWeight, createLosses } from './sources/losses'
import { columnOf } from './statuses'

export type BoardArchive = Awaited<ReturnType<typeof openBoardArchive>>

export const isOf = ({ email, emailVerified }: OwnUser, person: { email: string | null }): boolean =>
  emailVerified && person.email === email

const ROWS_AT_ONCE = 200
/** Whoever deletes a board of more of them keeps everybody waiting. */
const ROWS_MAX = { files: 50_000, comments: 250_000, 'time entries': 250_000 }
/** Together: each is in what is sent while the import goes on. */
const LIST_NAMES_MAX = 100_000

function assertFew(what: keyof typeof ROWS_MAX | 'people', count: number) {
  const max = what === 'people' ? PEOPLE_MAX : ROWS_MAX[what]
  if (count > max) throw badRequest(`A board with more than ${numberText(max)} ${what} cannot be imported.`)
}

/** By what it says of itself, which reading holds it to: reading far too many rows takes long. */
function assertFewRows({ manifest }: BoardArchive) {
  const rows = new Map<string, number>(manifest.tables.map((table) => [table.name, table.rows]))
  assertFew('people', rows.get('people') ?? 0)
  assertFew('comments', rows.get('comments') ?? 0)
  assertFew('files', rows.get('attachments') ?? 0)
  if ((rows.get('tasks') ?? 0) > BOARD_QUOTA.tasks)
    throw badRequest(`A board holds ${numberText(BOARD_QUOTA.tasks)} tasks, and this file has more.`)
}

/** Reads an archive through, once; `bytes` are what its board would take. Throws ArchiveFailed, BAD_REQUEST where no board could hold it. */
export async function previewOf(
  archive: BoardArchive,
  viewer: OwnUser,
  known: Loss[],
): Promise<{ preview: Preview; bytes: number }> {
  assertFewRows(archive)
  const losses = createLosses()
  const counts = { tasks: 0, closed: 0, comments: 0, attachments: 0, entries: 0, minutes: 0 }
  const lists = new Map<string, number>()
  const people = new Map<number, Preview['people'][number]>()
  const [fitPerson, fitTask, fitRate, fitActivity] = [
    createPersonFitting(losses.add),
    createTaskFitting(losses.add),
    createRateFitting(losses.add),
    createActivityFitting(losses.add),
  ]
  let name = ''
  let listNames = 0
  let bytes = 0

  const looks: { [Table in BoardTable]: (row: BoardRow<Table>) => void } = {
    board(row) {
      name = cut(row.name.trim(), BOARD_NAME_MAX)
      if ((row.description?.length ?? 0) > BOARD_DESCRIPTION_MAX) losses.add(BOARD_DESCRIPTION_CUT, row.name)
    },
    people(row) {
      const { id, name, email, former } = fitPerson(row)
      const isMe = isOf(viewer, { email })
      people.set(row.id, people.get(id) ?? { id, name, email, isMe, rows: 0, ...(former && { former }) })
    },
    tasks(row) {
      fitTask(row)
      if (row.closed) counts.closed += 1
      else counts.tasks += 1
      if (row.list === null) return
      if (!lists.has(row.list)) listNames += row.list.length
      lists.set(row.list, (lists.get(row.list) ?? 0) + Number(!row.closed))
      if (lists.size > LISTS_MAX) throw badRequest(`A board with more than ${LISTS_MAX} lists cannot be imported.`)
      if (listNames > LIST_NAMES_MAX) throw badRequest('A board whose lists have such long names cannot be imported.')
    },
    assignees() {},
    comments(row) {
      counts.comments += 1
      fittingComments(row, losses.add)
    },
    attachments(row) {
      counts.attachments += 1
      const size = row.file === null ? null : archive.size(row.file)
      if (fittingAttachment(row, size, losses.add)) bytes += size ?? 0
    },
    entries(row) {
      const entry = fittingEntry(row, losses.add)
      if (!entry) return
      counts.entries += 1
      assertFew('time entries', counts.entries)
      counts.minutes += entry.minutes
    },
    rates(row) {
      fitRate(row, people.get(row.person)?.id ?? row.person)
    },
    activities(row) {
      fitActivity(row, (person) => person)
    },
  }

  const countRow = (person: number | null) => {
    const found = person === null ? undefined : people.get(person)
    if (found) found.rows += 1
  }
  for (const table of Object.keys(looks) as BoardTable[]) {
    let read = 0
    for await (const row of archive.rows(table)) {
      // The row is of this table, which TypeScript does not see.
      looks[table](row as never)
      bytes += storedBytes(table, row)
      if ('person' in row) countRow(row.person)
      if ('createdBy' in row) countRow(row.createdBy)
      read += 1
      if (read % ROWS_AT_ONCE === 0) await setImmediate()
    }
  }
  const preview = {
    name: name || 'Imported board',
    counts,
    lists: [...lists].map(([list, tasks]) => ({ name: list, tasks, status: columnOf(list) })),
    people: [...new Set(people.values())],
    losses: byWeight([...known, ...losses.losses]),
  }
  return { preview, bytes }
}
