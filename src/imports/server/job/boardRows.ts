import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { generateNKeysBetween } from 'fractional-indexing'
import { type BoardRow, type BoardTable, TABLES_OF_TASKS } from '../../../archive/schema'
import type { AcceptedFiles } from '../../../attachments/schema'
import { BOARD_NAME_MAX } from '../../../boards/limits'
import type { users } from '../../../db/tables'
import type { Status } from '../../../tasks/limits'
import { checklistCounts } from '../../../tasks/server/lookup'
import type { OwnUser } from '../../../users/schema'
import { userWithoutAccount } from '../../../users/server/store'
import type { Choices } from '../../schema'
import { createFitting, createRateFitter, fittingName, ignoreLosses, type Note } from '../fitToLimits'
import { guessColumn } from '../guessColumn'
import { choicesOf, meIn } from '../lookup'
import type { BoardArchive } from '../preview'
import { createDiskList, readDiskList } from '../tempFiles'
import type { Held } from './leases.store'

export type Filling = ReturnType<typeof createFilling>

export function createFilling(importer: OwnUser, held: Held, name: string, accepted: AcceptedFiles) {
  const startedAt = Date.now()
  return {
    importer,
    name,
    choices: choicesOf(held),
    me: meIn(held),
    people: new Map<number, number>(),
    /** Their accounts are gone, so they are not members. */
    formers: new Set<number>(),
    members: new Set<number>(),
    tasks: new Map<number, number>(),
    lastPlaces: new Map<Status, string>(),
    fit: createFitting(ignoreLosses, accepted),
    past: (moment: string | null) => new Date(Math.min(moment ? Date.parse(moment) : startedAt, startedAt)),
  }
}

export const nameValues = ({ name, email, former = false }: BoardRow<'people'>, boardId: number): typeof users.$inferInsert => ({
  ...userWithoutAccount(boardId, name),
  importedEmail: email,
  former,
})

/** A task whose status differs from its list's keeps it, whatever column was chosen for the list. */
export function targetColumn({ list, status }: BoardRow<'tasks'>, { columns }: Choices): Choices['columns'][string] {
  if (list === null) return status
  const own = guessColumn(list)
  const chosen = Object.hasOwn(columns, list) ? (columns[list] ?? own) : own
  return chosen !== 'leave' && status !== own ? status : chosen
}

type Placed = BoardRow<'tasks'> & { position: string }

export function withPositions({ lastPlaces }: Filling, status: Status, rows: BoardRow<'tasks'>[]): Placed[] {
  const places = generateNKeysBetween(lastPlaces.get(status) ?? null, null, rows.length)
  const last = places.at(-1)
  if (last) lastPlaces.set(status, last)
  return rows.map((row, n) => ({ ...row, position: places[n] ?? '' }))
}

export function taskValues({ id: _, list: __, closed: ___, ...task }: Placed, boardId: number, { people, past }: Filling) {
  return {
    ...task,
    boardId,
    createdBy: task.createdBy === null ? null : (people.get(task.createdBy) ?? null),
    createdAt: past(task.createdAt),
    updatedAt: task.updatedAt === null ? null : past(task.updatedAt),
    doneAt: task.status === 'done' && task.doneAt ? past(task.doneAt) : null,
    ...checklistCounts(task.description),
  }
}

export const withNewIds = <Row extends { task: number; person: number }>({ tasks, people }: Filling, rows: Row[]) =>
  rows.flatMap((row) => {
    const [taskId, userId] = [tasks.get(row.task), people.get(row.person)]
    return taskId && userId ? { row, taskId, userId } : []
  })

/** A board to make. With a board per list, `list` is its list, or null for tasks without one, and `folder` holds its rows by table. */
export type TargetBoard = { name: string; list: string | null; folder: string | null }

export const rowsOf =
  (archive: BoardArchive, { folder }: TargetBoard): BoardArchive['rows'] =>
  (table) =>
    folder === null ? archive.rows(table) : readDiskList(join(folder, table))

/**
 * One board, or one for each list that is not left out; tasks without a list go to a board with the import's name. Reads the
 * archive once, notes what a list's board cannot have, and calls `assertRoom` with the bytes it is about to write to the
 * folder.
 */
export async function targetBoards(
  archive: BoardArchive,
  choices: Choices,
  folder: string,
  { assertRoom, note }: { assertRoom(bytes: number): void; note: Note },
): Promise<TargetBoard[]> {
  if (!choices.boardPerList) return [{ name: choices.name, list: null, folder: null }]
  assertRoom(archive.manifest.tables.reduce((sum, { bytes }) => sum + bytes, 0))
  const lists = new Map<string | null, Own>()
  const byTask = new Map<number, Own>()
  for await (const row of archive.rows('tasks')) {
    if (targetColumn(row, choices) === 'leave' || (row.closed && !choices.closed)) continue
    const own = lists.get(row.list) ?? (await openOwn(join(folder, `board-${lists.size}`)))
    lists.set(row.list, own)
    byTask.set(row.id, own)
    own.add('tasks', row, row.createdBy)
  }
  if (lists.size === 0) return [{ name: choices.name, list: null, folder: null }]
  const all = [...lists.values()]
  for (const table of TABLES_OF_TASKS)
    for await (const row of archive.rows(table))
      if (row.task !== null) byTask.get(row.task)?.add(table, row, row.person)
      else if ('kind' in row) note('eventOfNoList', row.kind)
  for await (const row of archive.rows('board')) for (const own of all) own.add('board', row)
  for await (const row of archive.rows('people')) for (const own of all) if (own.has(row.id)) own.add('people', row)
  // Limited here, or each board's folder would hold all of a person's rates.
  const fits = createRateFitter(ignoreLosses)
  for await (const row of archive.rows('rates'))
    if (fits(row, row.person)) for (const own of all) if (own.has(row.person)) own.add('rates', row)
  for (const own of all) await own.end()
  return [...lists].map(([list, own]) => ({
    name: fittingName(list ?? '', BOARD_NAME_MAX) || choices.name,
    list,
    folder: own.folder,
  }))
}

type Own = Awaited<ReturnType<typeof openOwn>>

async function openOwn(folder: string) {
  await mkdir(folder, { mode: 0o700 })
  const people = new Set<number>()
  const written = new Map<BoardTable, ReturnType<typeof createDiskList>>()
  return {
    folder,
    has: (person: number) => people.has(person),
    add<Table extends BoardTable>(table: Table, row: BoardRow<Table>, person: number | null = null) {
      const list = written.get(table) ?? createDiskList(join(folder, table))
      written.set(table, list)
      list.add(row)
      if (person !== null) people.add(person)
    },
    async end() {
      for (const list of written.values()) await list.end()
    },
  }
}
