import { afterAll, afterEach, describe, expect, setSystemTime, test } from 'bun:test'
import { join } from 'node:path'
import type { BoardRow, BoardTable, BoardTables } from '../../src/archive/schema'
import { readConfig } from '../../src/config'
import { countsWith } from '../../src/imports/page/PreviewLists'
import { choices } from '../../src/imports/schema'
import { createFitting } from '../../src/imports/server/fitToLimits'
import { rowsOf, targetBoards } from '../../src/imports/server/job/boardRows'
import { createFileImport, fetchFromUrl, readFromArchive } from '../../src/imports/server/job/files'
import { inChunks } from '../../src/imports/server/job/steps'
import { type BoardArchive, previewOf } from '../../src/imports/server/preview'
import { LOSSES, type LossKind } from '../../src/imports/server/sources/losses'
import { writeTo } from '../../src/imports/server/tempFiles'
import type { Services } from '../../src/server/context'
import { badRequest, NoRoom } from '../../src/server/errors'
import type { FetchOutside } from '../../src/server/outbound'
import { PNG } from '../support/files'
import { AT, tablesOf, taskRow } from '../support/imports'
import { dataFolder } from '../support/process'

const folder = await dataFolder()
afterAll(folder.remove)
afterEach(() => void setSystemTime())

const later = (seconds: number) => setSystemTime(new Date(Date.now() + seconds * 1000))
const noted = () => {
  const all: string[] = []
  const note = (kind: LossKind) => void all.push(LOSSES[kind])
  return { all, note, fit: createFitting(note, readConfig({}).attachments) }
}

describe('files that come with an import', () => {
  const row: BoardRow<'attachments'> = {
    ...{ task: 1, person: 1, name: 'a.png', createdAt: AT },
    ...{ file: null, thumbnail: null, url: 'https://files.test/a.png' },
  }
  const none = async () => {}

  function importing(given: object) {
    const { all, note } = noted()
    const read: string[] = []
    const file = async (name: string) => {
      read.push(name)
      return PNG
    }
    const archive = { size: () => 10, file, ...given } as unknown as BoardArchive
    const accountQuota = { storing: none }
    const config = { ...readConfig({}), diskReserve: 0 }
    const services = { config, accountQuota, fileQuota: { storing: none }, ...given } as unknown as Services
    const add = createFileImport({ services, importerId: 1, past: () => new Date(), note })
    const elsewhere = fetchFromUrl(services, folder.path)
    const addOne = (one: typeof row) =>
      add({ row: one, taskId: 1, userId: 1 }, one.file === null ? elsewhere : readFromArchive(archive), none)
    return { all, read, add: addOne }
  }

  test('are no longer asked for once a server has kept everybody waiting', async () => {
    let asked = 0
    const fetchOutside: FetchOutside = async (_, { save }) => {
      asked += 1
      later(14)
      const bytes = new Uint8Array(1)
      async function* once() {
        yield bytes
      }
      await save?.(once())
      return { status: 200, type: null, bytes }
    }
    const { add, all } = importing({ fetchOutside })
    for (let n = 0; n < 60; n++) await add(row)
    expect(asked).toBe(43)
    expect(all.filter((what) => what.startsWith('files that could not be fetched')).length).toBe(17)
  })

  test('are asked for wherever others are missing, until their own host has not answered twenty times in a row', async () => {
    const asked: string[] = []
    const fetchOutside: FetchOutside = async (url, { save }) => {
      const { hostname, pathname } = new URL(url)
      asked.push(hostname)
      async function* once() {
        yield new Uint8Array(1)
      }
      if (pathname === '/large') await save?.(once())
      if (pathname !== '/private') throw badRequest(`${hostname} did not answer, or with too much.`)
      return { status: 401, type: null, bytes: new Uint8Array() }
    }
    const { add } = importing({ fetchOutside })
    const ask = async (path: string, times: number) => {
      for (let n = 0; n < times; n++) await add({ ...row, url: `https://${path}` })
      return asked.splice(0).length
    }
    expect(await ask('trello.test/private', 25)).toBe(25)
    expect(await ask('trello.test/large', 25)).toBe(25)
    expect(await ask('down.test/a', 19)).toBe(19)
    expect(await ask('down.test/private', 1)).toBe(1)
    expect(await ask('down.test/a', 25)).toBe(20)
    expect(await ask('files.test/private', 1)).toBe(1)
  })

  test('have no thumbnail that is larger than any, which is not even read', async () => {
    const size = (name: string) => (name === 'small' ? 2 ** 30 : 10)
    const { add, read } = importing({ size })
    await add({ ...row, file: 'one', thumbnail: 'small' })
    expect(read).toEqual(['one'])
  })
})

/** Bun waits within `rejects` in a way in which pauses may take for ever. */
const failure = (work: Promise<unknown>) =>
  work.then(
    () => 'it was taken',
    (error) => String(error),
  )

/** Of an archive with these rows, or one that says that it has so many. */
function preview(given: Partial<BoardTables>, said: Partial<Record<keyof BoardTables, number>> = {}) {
  const tables = tablesOf(given)
  async function* rows(table: keyof BoardTables) {
    yield* tables[table]
  }
  const manifest = { tables: Object.entries(said).map(([name, rows]) => ({ name, rows })) }
  return previewOf(
    { manifest, rows, size: () => 1 } as unknown as BoardArchive,
    { email: 'ada@example.com', emailVerified: true } as never,
    [],
    readConfig({}).attachments,
  )
}

test('names, titles and tags lose what turns their direction, and are none where nothing of them can be seen', () => {
  const { all, fit } = noted()
  const given = { title: ' a\u202egpj.exe', tags: ['\u202ex', 'x', '\u200b', ' ', `${'\u200b'.repeat(40)}y`], list: '\u2067Shop' }
  expect(fit.tasks(taskRow(1, given))).toMatchObject({ title: 'agpj.exe', tags: ['Shop', 'x'] })
  expect(fit.tasks(taskRow(2, { title: '\u200b\u202e' }))).toMatchObject({ title: 'Untitled', description: null })
  expect(fit.tasks(taskRow(3, { title: `\u202e${'b'.repeat(255)}` })).description).toBeNull()
  const person = { id: 1, email: null, member: true }
  expect(['\u202eevE', '\u2800'].map((name) => fit.people({ ...person, name }).name)).toEqual(['evE', 'A user'])
  const renamed = { task: 1, taskTitle: '\u202ex', person: 1, kind: 'renamed', createdAt: AT }
  const event = fit.activities({ ...renamed, detail: { from: '\u202ex', to: '\\u202ey' } }, (one) => one)
  expect(event).toMatchObject({ taskTitle: 'x', detail: { from: 'x', to: '\\u202ey' } })
  expect(all).toEqual([
    'tags without a visible character: left out',
    'tasks without a title: called “Untitled”',
    'people without a name: called “A user”',
  ])
})

test('an imported board’s name is one that a board may have', async () => {
  const nameOf = async (name: string) => (await preview({ board: [{ name, description: null, createdAt: AT }] })).preview.name
  expect([await nameOf('\u202edraoB'), await nameOf('\u200b')]).toEqual(['draoB', 'Imported board'])
})

test('a preview counts what is on closed tasks apart, and no file that is refused', async () => {
  const tasks = [taskRow(1, { list: 'A' }), taskRow(2, { list: 'A', closed: true }), taskRow(3, { list: 'B', closed: true })]
  const { comments, attachments, entries } = tablesOf() as { [Table in BoardTable]: BoardRow<Table>[] }
  const twice = <Row extends object>(rows: Row[]) => [...rows, ...rows.map((row) => ({ ...row, task: 2 }))]
  const refused = attachments.map((one) => ({ ...one, name: 'run.exe' }))
  const { counts, lists } = (
    await preview({
      ...{ tasks, assignees: [], activities: [] },
      ...{ comments: twice(comments), attachments: twice([...attachments, ...refused]), entries: twice(entries.slice(0, 1)) },
    })
  ).preview
  const work = { comments: 2, attachments: 1, entries: 1, minutes: 30 }
  expect(counts).toEqual({ ...work, tasks: 1, closed: 2, onClosed: work })
  expect(lists.map(({ name, tasks, closed }) => [name, tasks, closed])).toEqual([
    ['A', 1, 1],
    ['B', 0, 1],
  ])
  expect(countsWith(counts, false)).toEqual({ ...work, tasks: 1 })
  expect(countsWith(counts, true)).toEqual({ tasks: 3, comments: 4, attachments: 2, entries: 2, minutes: 60 })
  expect(countsWith({ ...work, tasks: 1, closed: 2 }, true)).toEqual({ ...work, tasks: 3 })
})

test('an archive is read once, however many boards are made of it, where the disk has room', async () => {
  const tasks = ['Garden', 'Orchard', 'Me\u202eadow', 'All', null].map((list, n) => taskRow(n + 1, { list }))
  const ofAll = { task: null, taskTitle: null, person: 3, kind: 'board_described', detail: {}, createdAt: AT }
  const tables = tablesOf({ tasks, activities: [ofAll] })
  const read: string[] = []
  async function* rows(table: keyof BoardTables) {
    read.push(table)
    yield* tables[table]
  }
  const manifest = { tables: [{ bytes: 3 }, { bytes: 4 }] }
  const archive = { manifest, rows } as unknown as BoardArchive
  const given = choices.parse({ name: 'All', boardPerList: true })
  const full = (bytes: number) => {
    throw new NoRoom(`for ${bytes}`)
  }
  const { all, note } = noted()
  await expect(targetBoards(archive, given, folder.path, { assertRoom: full, note })).rejects.toThrow('for 7')
  expect(read).toEqual([])
  const targets = await targetBoards(archive, given, folder.path, { assertRoom: () => {}, note })
  const counts = targets.map(async (target) => {
    const count = async (table: keyof BoardTables) => (await Array.fromAsync(rowsOf(archive, target)(table))).length
    return [target.name, await count('board'), await count('people'), await count('tasks'), await count('comments')]
  })
  expect(await Promise.all(counts)).toEqual([
    ['Garden', 1, 3, 1, 2],
    ['Orchard', 1, 1, 1, 0],
    ['Meadow', 1, 1, 1, 0],
    ['All', 1, 1, 1, 0],
    ['All', 1, 1, 1, 0],
  ])
  expect(targets.map(({ list }) => list)).toEqual(tasks.map(({ list }) => list))
  expect(all).toEqual(['activity entries about the board itself or about deleted tasks, which belong to no list: left out'])
  expect(read.toSorted()).toEqual(Object.keys(tables).toSorted())
})

test('names of lists like books are refused', async () => {
  const tasks = [1, 2, 3].map((id) => taskRow(id, { list: `${id}`.repeat(40_000) }))
  expect(await failure(preview({ tasks }))).toContain('names of this board’s lists are too long')
})

const [entry] = tablesOf().entries as BoardRow<'entries'>[]

test('more entries are refused than could be deleted in a moment', async () => {
  const entries = Array(250_001).fill({ ...entry, timeZone: 'x'.repeat(65) })
  expect(await failure(preview({ entries }))).toContain('more than 250,000 time entries')
})

test.each([
  ['people', 1_000, 'more than 1,000 people'],
  ['tasks', 20_000, 'can have at most 20,000 tasks'],
  ['attachments', 50_000, 'more than 50,000 files'],
  ['comments', 250_000, 'more than 250,000 comments'],
] as const)('more %s than a board can have are refused before they are read', async (table, most, reason) => {
  expect((await preview({}, { [table]: most })).preview.counts.tasks).toBeGreaterThan(0)
  expect(await failure(preview({}, { [table]: most + 1 }))).toContain(reason)
})

test('an event with a text like a book is left out, so that nobody’s history is as large', () => {
  const { all, fit } = noted()
  const event = (from: string) => ({
    task: 1,
    taskTitle: 'x',
    person: 1,
    kind: 'renamed',
    detail: { from, to: 'b' },
    createdAt: AT,
  })
  expect(fit.activities(event('a'), (person) => person)).toMatchObject({ detail: { from: 'a', to: 'b' } })
  expect(fit.activities(event('a'.repeat(20_000)), (person) => person)).toBeNull()
  expect(all).toEqual(['activity entries over 20,000 characters: left out'])
})

test('an event about somebody who is not on the board is kept, about nobody', () => {
  const { all, fit } = noted()
  const about = (userId: unknown) =>
    fit.activities({ task: 1, taskTitle: 'x', person: 1, kind: 'assigned', detail: { userId }, createdAt: AT }, (one) =>
      one === 1 ? 11 : undefined,
    )?.detail
  expect([about(1), about(2), about(null)]).toEqual([{ userId: 11 }, { userId: null }, { userId: null }])
  expect(all).toEqual([])
  expect(about('1')).toBeUndefined()
})

test.each([
  ['startTime', '1969-12-31T00:00:00.000Z'],
  ['startTime', '9999-01-01T00:00:00.000Z'],
  ['endTime', '0001-01-01T00:00:00.000Z'],
  ['day', '1001-01-01'],
])('a time entry is left out whose %s is %s, as no list could go on after it', (field, moment) => {
  const { all, fit } = noted()
  if (!entry) throw new Error('there is no entry')
  expect(fit.entries(entry)).toMatchObject({ minutes: 30 })
  expect(fit.entries({ ...entry, [field]: moment })).toBeNull()
  expect(all).toEqual(['time entries before 1970 or after 2999: left out'])
})

test('a time entry that ends before it begins has no end, or its owner could not change it', () => {
  const { all, fit } = noted()
  if (!entry) throw new Error('there is no entry')
  expect(fit.entries({ ...entry, endTime: '2026-01-05T08:29:59.999Z' })).toMatchObject({ endTime: null, minutes: 30 })
  expect(fit.entries({ ...entry, endTime: AT })).toMatchObject({ endTime: AT })
  expect(all).toEqual(['times that contradict the duration: the duration is used'])
})

test('rows with long texts come a few at a time', async () => {
  async function* rows() {
    for (let n = 0; n < 5; n++) yield { content: 'x'.repeat(400_000) }
  }
  async function* events() {
    for await (const { content } of rows()) yield { detail: { from: { content } } }
  }
  const sizes = async (given: AsyncIterable<object>) =>
    (await Array.fromAsync(inChunks(given, () => 400))).map((chunk) => chunk.length)
  expect([await sizes(rows()), await sizes(events())]).toEqual([
    [3, 2],
    [3, 2],
  ])
})

test('what another program’s board becomes leaves the disk its reserve', async () => {
  const full = { config: { diskReserve: 10 }, diskGuard: { disk: () => ({ free: 5, size: 100 }) } } as unknown as Services
  async function* chunks() {
    for (let n = 0; n < 2; n++) yield new Uint8Array(9 * 2 ** 20)
  }
  await expect(writeTo(full, join(folder.path, 'big'), chunks())).rejects.toThrow(NoRoom)
})
