import type { BoardRow, BoardTable, BoardTables, NewBoardRow } from '../../../archive/schema'
import { badRequest } from '../../../server/errors'
import { type Status, TAG_MAX, TAGS_MAX } from '../../../tasks/limits'
import { type ImportSource, type Loss, type ReadTable, SOURCES } from '../../schema'
import { guessColumn } from '../guessColumn'
import { createLosses } from './losses'
import { storable } from './shapes'

/** A board in the shape of an archive. `file` adds what it cannot fetch to `losses`. */
export type Converted = {
  source: ImportSource
  tables: BoardTables
  losses: Loss[]
  /** How a table was read, so that the user can change it. */
  table?: ReadTable
  statuses?: ReadTable['statuses']
  file(name: string): Promise<Blob | null>
}

type Rows = { [Table in BoardTable]: NewBoardRow<Table>[] }
type Task = Omit<NewBoardRow<'tasks'>, 'id' | 'status'> & { isDone: boolean; status?: Status | null }
type Attached = {
  task: number
  person: number
  name: string
  file?: string | null
  url?: string | null
  createdAt: string | null
}
type Person = { name: string; email?: string | null; member?: boolean }

export type BoardBuilder = ReturnType<typeof createBoard>

const UNKNOWN = 'Unknown'
const NOBODYS_KEY = '\0'

export function createBoard(source: ImportSource, board: BoardRow<'board'>, kept: Kept) {
  const rows: Rows = {
    board: [{ ...board, name: shortened(board.name.trim()) || SOURCES[source], description: shortened(board.description) }],
    people: [],
    tasks: [],
    assignees: [],
    comments: [],
    attachments: [],
    entries: [],
    rates: [],
    activities: [],
  }
  const people = new Map<string, BoardRow<'people'>>()
  const now = new Date().toISOString()
  const losses = createLosses()

  function add<Table extends BoardTable>(table: Table, row: Rows[Table][number]) {
    kept.add(row)
    const list: Rows[Table][number][] = rows[table]
    list.push(row)
  }

  function person(key: string, { name, email = null, member = false }: Person): number {
    const known = people.get(key)
    if (known) {
      known.member ||= member
      return known.id
    }
    const address = storable(email ?? '')
      .trim()
      .toLowerCase()
    const row = { id: rows.people.length + 1, name: storable(name).trim() || UNKNOWN, email: address || null, member }
    kept.add(key)
    people.set(key, row)
    add('people', row)
    return row.id
  }

  function task({ isDone, status: own, title, description, tags, ...given }: Task): number {
    const id = rows.tasks.length + 1
    const status = isDone ? 'done' : (own ?? guessColumn(given.list ?? ''))
    const texts = { title: shortened(title.trim()), description: shortened(description), tags: withTags([], tags) }
    add('tasks', { id, ...given, ...texts, status })
    return id
  }

  return {
    rows,
    losses,
    kept,
    add,
    now,
    person,
    personOf: (key: string | null | undefined) => people.get(key || NOBODYS_KEY)?.id ?? person(NOBODYS_KEY, { name: UNKNOWN }),
    known: (key: string | null | undefined) => (key ? people.get(key)?.id : null) ?? null,
    task,
    tag(task: number, more: string[]) {
      const { tags = [] } = rows.tasks[task - 1] ?? {}
      const before = tags.length
      if (withTags(tags, more).length > before) kept.add(tags.slice(before))
    },
    comment({ content, ...of }: NewBoardRow<'comments'>) {
      for (const part of storable(content).match(PARTS) ?? []) add('comments', { ...of, content: part })
    },
    assign(task: number, assigned: number[]) {
      for (const person of new Set(assigned)) add('assignees', { task, person })
    },
    attach({ name, file = null, url = null, createdAt, ...of }: Attached) {
      const texts = { name: storable(name) || 'file', url: url && storable(url) }
      add('attachments', { ...of, ...texts, file, thumbnail: null, createdAt: createdAt ?? now })
    },
    finish: (file: Converted['file'] = async () => null): Converted => ({ source, tables: rows, losses: losses.losses, file }),
  }
}

/** More than a task takes, so that fitToLimits notes what is cut. All fit into a line of the archive, where a letter may take six. */
const [TEXT_KEPT, TAG_KEPT, TAGS_KEPT] = [100_000, 5 * TAG_MAX, 5 * TAGS_MAX]

export function shortened<Text extends string | null>(text: Text, most = TEXT_KEPT): Text {
  return text && (storable(text.length > most ? `${text.slice(0, most)}…` : text) as Text)
}

/** Long comments become several of `TEXT_KEPT` whole letters. */
const PARTS = /.{1,100000}/gsu

function withTags(tags: string[], more: string[]): string[] {
  for (const given of more) {
    if (tags.length === TAGS_KEPT) break
    const tag = shortened(given.trim(), TAG_KEPT)
    if (tag !== '' && !tags.includes(tag)) tags.push(tag)
  }
  return tags
}

const TOO_MUCH = 'This file holds more than this server can read at once. Please export it in smaller parts.'

export type Kept = ReturnType<typeof createKept>

/** Counts the bytes that a conversion keeps in memory. `add` throws BAD_REQUEST beyond `most`. */
export function createKept(most: number) {
  let bytes = 0
  return {
    add(value: unknown, more = 0) {
      bytes += bytesOf(value) + more
      if (bytes > most) throw badRequest(TOO_MUCH)
    },
  }
}

export const SLOT = 8
const [TEXT, LIST, OBJECT] = [40, 64, 56]

export const isNarrow = (text: string): boolean => !/[^\0-\xff]/.test(text)

/** Measured. Short texts are shared. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return value.length < 2 ? 0 : TEXT + value.length * (isNarrow(value) ? 1 : 2)
  if (value instanceof Uint8Array) return OBJECT + value.length
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + SLOT + bytesOf(one), LIST)
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, one) => sum + SLOT + bytesOf(one), OBJECT)
}
