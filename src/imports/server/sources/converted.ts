import type { BoardRow, BoardTable, BoardTables } from '../../../archive/boardRows'
import { badRequest } from '../../../server/errors'
import { columnOf, type ImportSource, type Loss, SOURCES } from '../../schema'
import { createLosses } from './losses'

/**
 * A board as an archive has it. `status` of a task is what `columnOf` says of its list, or `done` where the task itself was.
 * `losses` are whole once the tables are there, but for files that `file` could not get.
 */
export type Converted = {
  source: ImportSource
  tables: BoardTables
  losses: Loss[]
  /** What an attachment's `file` names; null where it cannot be had. */
  file(name: string): Promise<Blob | null>
}

type Rows = { [Table in BoardTable]: BoardRow<Table>[] }
type Task = Omit<BoardRow<'tasks'>, 'id' | 'status' | 'title'> & { title: string; isDone: boolean }
type Person = { name: string; email?: string | null; member?: boolean }

export type BoardBuilder = ReturnType<typeof createBoard>

const UNKNOWN = 'Unknown'
const NOBODYS_KEY = '\0'
const LENGTH_MAX = 2 ** 27

/** Gathers the rows, and numbers them. */
export function createBoard(source: ImportSource, board: BoardRow<'board'>) {
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
  let length = 0

  function person(key: string, { name, email = null, member = false }: Person): number {
    const known = people.get(key)
    if (known) {
      known.member ||= member
      return known.id
    }
    const row = { id: rows.people.length + 1, name: name.trim() || UNKNOWN, email: email?.trim().toLowerCase() || null, member }
    people.set(key, row)
    rows.people.push(row)
    return row.id
  }

  function task({ isDone, title, ...given }: Task): number {
    const id = rows.tasks.length + 1
    length += [title, given.description, given.list, ...given.tags].reduce((sum, text) => sum + (text?.length ?? 0), 0)
    if (length > LENGTH_MAX) throw badRequest('What this file says of its tasks is more than a board holds.')
    const status = isDone ? 'done' : columnOf(given.list ?? '')
    rows.tasks.push({ id, ...given, title: title.trim(), status, tags: unique(given.tags) })
    return id
  }

  return {
    rows,
    losses,
    /** For what the file tells no moment of. */
    now: new Date().toISOString(),
    person,
    /** Of this key, or a name for whoever the file does not know. */
    personOf: (key: string | null | undefined) => people.get(key || NOBODYS_KEY)?.id ?? person(NOBODYS_KEY, { name: UNKNOWN }),
    known: (key: string | null | undefined) => (key ? people.get(key)?.id : null) ?? null,
    task,
    assign(task: number, assigned: number[]) {
      for (const person of new Set(assigned)) rows.assignees.push({ task, person })
    },
    finish: (file: Converted['file'] = async () => null): Converted => ({ source, tables: rows, losses: losses.losses, file }),
  }
}

const unique = (tags: string[]) => [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))]
