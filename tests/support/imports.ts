import { expect } from 'bun:test'
import type { BoardRow, BoardTables } from '../../src/archive/schema'
import { writeBoardArchive } from '../../src/archive/server/writeArchive'
import { type BoardImport, boardImport, type Choices } from '../../src/imports/schema'
import { PNG, WEBP } from './files'
import type { Person } from './people'
import { until } from './until'

export const AT = '2026-01-05T08:30:00.000Z'

export const taskRow = (id: number, given: Partial<BoardRow<'tasks'>> = {}): BoardRow<'tasks'> => ({
  ...{ id, title: `Task ${id}`, description: null, status: 'todo', list: null, closed: false, dueDate: null, tags: [] },
  ...{ createdBy: 1, createdAt: AT, updatedAt: null, doneAt: null },
  ...given,
})

const about = { task: 1, createdAt: AT }
const work = { ...about, startTime: AT, endTime: null, day: '2026-01-05', timeZone: 'UTC', note: 'Digging', billable: true }

/** Ada (1), Bob (2) and Carl (3), who has no address, on a board with something of everything. */
export const tablesOf = (given: Partial<BoardTables> = {}): BoardTables => ({
  board: [{ name: 'Orchard', description: 'Trees', createdAt: AT }],
  people: [
    { id: 1, name: 'Ada', email: 'ada@example.com', member: true },
    { id: 2, name: 'Robert', email: 'bob@example.com', member: true },
    { id: 3, name: 'Carl', email: null, member: false },
  ],
  tasks: [
    taskRow(1, { title: 'Plant', description: '- [x] dig\n- [ ] water', tags: ['spring'], dueDate: '2026-02-01' }),
    taskRow(2, { title: 'Prune', status: 'done', doneAt: AT, createdBy: 2 }),
    taskRow(3, { title: 'Graft', createdBy: null }),
  ],
  assignees: [
    { task: 1, person: 2 },
    { task: 1, person: 3 },
    { task: 2, person: 1 },
  ],
  comments: [
    { ...about, person: 2, content: 'Where?' },
    { ...about, person: 1, content: 'By the fence' },
  ],
  attachments: [{ ...about, person: 2, name: 'dot.png', file: 'one', thumbnail: 'two', url: null }],
  entries: [
    { ...work, person: 1, minutes: 30 },
    { ...work, person: 2, minutes: 45 },
  ],
  rates: [
    { person: 2, from: null, cents: 9_000 },
    { person: 2, from: '2026-01-03', cents: 9_500 },
  ],
  activities: [
    { ...about, taskTitle: 'Plant', person: 1, kind: 'created', detail: {} },
    { ...about, taskTitle: 'Plant', person: 1, kind: 'assigned', detail: { userId: 2 } },
  ],
  ...given,
})

const FILES: Record<string, Uint8Array<ArrayBuffer>> = { one: PNG, two: WEBP }

export async function archiveOf(tables: BoardTables, files = FILES): Promise<Uint8Array<ArrayBuffer>> {
  const named = async (name: string) => (files[name] ? new Blob([files[name]]) : null)
  return Buffer.concat(await Array.fromAsync(writeBoardArchive(tables, named)))
}

export const send = (person: Pick<Person, 'http'>, body: string | Uint8Array<ArrayBuffer>, name = 'board.zip', headers = {}) =>
  person.http('POST', `/api/imports?name=${encodeURIComponent(name)}`, body, headers)

/** Fails where it is refused. */
export async function uploaded(person: Pick<Person, 'http'>, body: string | Uint8Array<ArrayBuffer>, name?: string) {
  const answer = await send(person, body, name)
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([201, expect.any(String)])
  return boardImport.parse(answer.body)
}

/** Starts it, and waits for its end. */
export async function imported(person: Person, { id: importId, preview }: BoardImport, choices: Partial<Choices> = {}) {
  await person.api.imports.start.mutate({ importId, choices: { name: preview.name, ...choices } })
  return until('an end of the import', async () => {
    const now = await person.api.imports.get.query({ importId })
    return now.state !== 'running' && now
  })
}

/** As `imported`, of what has to be done. */
export async function boardOf(person: Person, given: BoardImport, choices: Partial<Choices> = {}): Promise<number> {
  const { state, error, boardId } = await imported(person, given, choices)
  expect({ state, error }).toEqual({ state: 'done', error: null })
  if (boardId === null) throw new Error('a board that is done has no number')
  return boardId
}
