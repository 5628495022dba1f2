import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BoardRow, BoardTable } from '../../../archive/boardRows'
import { BOARD_NAME_MAX } from '../../../boards/basics'
import type { Choices } from '../../schema'
import { createDiskList, readDiskList } from '../diskList'
import { cut, ignored } from '../fit/cut'
import { createRateFitting } from '../fit/others'
import type { BoardArchive } from '../preview'
import { columnFor } from './filling'

/** A board that an import makes; where each list has a board of its own, it is of `list`, and `folder` has its rows by table. */
export type TargetBoard = { name: string; list: string | null; folder: string | null }

export const rowsOf =
  (archive: BoardArchive, { folder }: TargetBoard): BoardArchive['rows'] =>
  (table) =>
    folder === null ? archive.rows(table) : readDiskList(join(folder, table))

/**
 * One board for all, or one for each list that is not left out: what has no list is on that of the import's own name. Reads the archive
 * once, whatever the number of boards, and calls `assertRoom` before it writes about so many bytes to the folder.
 */
export async function targetBoards(
  archive: BoardArchive,
  choices: Choices,
  folder: string,
  assertRoom: (bytes: number) => void,
): Promise<TargetBoard[]> {
  if (!choices.boardPerList) return [{ name: choices.name, list: null, folder: null }]
  assertRoom(archive.manifest.tables.reduce((sum, { bytes }) => sum + bytes, 0))
  const lists = new Map<string, Own>()
  const byTask = new Map<number, Own>()
  for await (const row of archive.rows('tasks')) {
    if (columnFor(row, choices) === 'leave' || (row.closed && !choices.closed)) continue
    const name = row.list ?? choices.name
    const own = lists.get(name) ?? (await openOwn(join(folder, `board-${lists.size}`)))
    lists.set(name, own)
    byTask.set(row.id, own)
    own.add('tasks', row, row.createdBy)
  }
  if (lists.size === 0) return [{ name: choices.name, list: null, folder: null }]
  const all = [...lists.values()]
  for (const table of ['assignees', 'comments', 'attachments', 'entries', 'activities'] as const)
    for await (const row of archive.rows(table)) if (row.task !== null) byTask.get(row.task)?.add(table, row, row.person)
  for await (const row of archive.rows('board')) for (const own of all) own.add('board', row)
  for await (const row of archive.rows('people')) for (const own of all) if (own.has(row.id)) own.add('people', row)
  // Else those of one person would be in the lists of all boards, however many they are.
  const fits = createRateFitting(ignored)
  for await (const row of archive.rows('rates'))
    if (fits(row, row.person)) for (const own of all) if (own.has(row.person)) own.add('rates', row)
  for (const own of all) await own.end()
  return [...lists].map(([list, own]) => ({
    name: cut(list.trim(), BOARD_NAME_MAX) || choices.name,
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
