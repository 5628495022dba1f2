import type { BoardRow, BoardTable, BoardTables } from '../../../archive/boardRows'
import type { Status } from '../../../tasks/basics'
import { type ImportSource, type Loss, type ReadTable, SOURCES } from '../../schema'
import { columnOf } from '../statuses'
import type { Kept } from './kept'
import { createLosses } from './losses'

/**
 * A board as an archive has it. `status` of a task is what `columnOf` says of its list, unless the task has one of its own.
 * `losses` are whole once the tables are there, but for files that `file` could not get.
 */
export type Converted = {
  source: ImportSource
  tables: BoardTables
  losses: Loss[]
  /** Of a table, how it was read, for somebody to choose otherwise. */
  table?: ReadTable
  statuses?: ReadTable['statuses']
  /** What an attachment's `file` names; null where it cannot be had. */
  file(name: string): Promise<Blob | null>
}

type Rows = { [Table in BoardTable]: BoardRow<Table>[] }
type Task = Omit<BoardRow<'tasks'>, 'id' | 'status'> & { isDone: boolean; status?: Status | null }
type Person = { name: string; email?: string | null; member?: boolean }

export type BoardBuilder = ReturnType<typeof createBoard>

const UNKNOWN = 'Unknown'
const NOBODYS_KEY = '\0'

/** Gathers the rows, and numbers them. */
export function createBoard(source: ImportSource, board: BoardRow<'board'>, kept: Kept) {
  const rows: Rows = {
    board: [{ ...board, name: board.name.trim() || SOURCES[source] }],
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
    const row = { id: rows.people.length + 1, name: name.trim() || UNKNOWN, email: email?.trim().toLowerCase() || null, member }
    kept.add(key)
    people.set(key, row)
    add('people', row)
    return row.id
  }

  function task({ isDone, status: own, title, ...given }: Task): number {
    const id = rows.tasks.length + 1
    const status = isDone ? 'done' : (own ?? columnOf(given.list ?? ''))
    add('tasks', { id, ...given, title: title.trim(), status, tags: unique(given.tags) })
    return id
  }

  return {
    rows,
    losses,
    kept,
    add,
    /** For what the file tells no moment of. */
    now: new Date().toISOString(),
    person,
    /** Of this key, or a name for whoever the file does not know. */
    personOf: (key: string | null | undefined) => people.get(key || NOBODYS_KEY)?.id ?? person(NOBODYS_KEY, { name: UNKNOWN }),
    known: (key: string | null | undefined) => (key ? people.get(key)?.id : null) ?? null,
    task,
    assign(task: number, assigned: number[]) {
      for (const person of new Set(assigned)) add('assignees', { task, person })
    },
    finish: (file: Converted['file'] = async () => null): Converted => ({ source, tables: rows, losses: losses.losses, file }),
  }
}

const unique = (tags: string[]) => [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))]
