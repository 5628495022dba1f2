import { afterAll, afterEach, describe, expect, setSystemTime, test } from 'bun:test'
import { join } from 'node:path'
import type { BoardRow, BoardTables } from '../../src/archive/boardRows'
import { createActivityFitting } from '../../src/imports/server/fit/activities'
import { fittingEntry } from '../../src/imports/server/fit/others'
import { inChunks } from '../../src/imports/server/job/chunks'
import { createFileImport } from '../../src/imports/server/job/files'
import type { Filling } from '../../src/imports/server/job/filling'
import { type BoardArchive, previewOf } from '../../src/imports/server/preview'
import { writeTo } from '../../src/imports/server/receive'
import { convertPlanka } from '../../src/imports/server/sources/plankaApi'
import type { Services } from '../../src/server/context'
import { NoRoom } from '../../src/server/errors'
import { PNG } from '../support/files'
import { AT, tablesOf, taskRow } from '../support/imports'
import { dataFolder } from '../support/process'
import { fixture } from './converted'

const folder = await dataFolder()
afterAll(folder.remove)
afterEach(() => void setSystemTime())

const later = (seconds: number) => setSystemTime(new Date(Date.now() + seconds * 1000))
const noted = () => {
  const all: string[] = []
  return { all, note: (what: string) => void all.push(what) }
}

describe('files that come with an import', () => {
  const row: BoardRow<'attachments'> = {
    ...{ task: 1, person: 1, name: 'a.png', createdAt: AT },
    ...{ file: null, thumbnail: null, url: 'https://files.test/a.png' },
  }
  const filling = { tasks: new Map([[1, 1]]), people: new Map([[1, 1]]) } as Filling
  const none = async () => {}

  function importing(given: object) {
    const { all, note } = noted()
    const read: string[] = []
    const file = async (name: string) => {
      read.push(name)
      return PNG
    }
    const archive = { size: () => 10, file, ...given } as unknown as BoardArchive
    const services = { fileQuota: { storing: none }, ...given } as unknown as Services
    return { all, read, add: createFileImport({ services, archive, filling, note }) }
  }

  test('are no longer asked for once a server has kept everybody waiting', async () => {
    let asked = 0
    const fetchOutside = async () => {
      asked += 1
      later(14)
      return { status: 200, type: null, bytes: new Uint8Array(1) }
    }
    const { add, all } = importing({ fetchOutside })
    for (let n = 0; n < 60; n++) await add(row, none)
    expect(asked).toBe(43)
    expect(all.filter((what) => what.startsWith('files that could not be fetched')).length).toBe(17)
  })

  test('have no thumbnail that is larger than any, which is not even read', async () => {
    const size = (name: string) => (name === 'small' ? 2 ** 30 : 10)
    const { add, read } = importing({ size })
    await add({ ...row, file: 'one', thumbnail: 'small' }, none)
    expect(read).toEqual(['one'])
  })
})

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
  )
}

test('names of lists like books are refused', async () => {
  const tasks = [1, 2, 3].map((id) => taskRow(id, { list: `${id}`.repeat(40_000) }))
  await expect(preview({ tasks })).rejects.toThrow('such long names')
})

const [entry] = tablesOf().entries as BoardRow<'entries'>[]

test('more entries are refused than could be deleted in a moment', async () => {
  const entries = Array(250_001).fill({ ...entry, timeZone: 'x'.repeat(65) })
  await expect(preview({ entries })).rejects.toThrow('more than 250,000 time entries')
})

test.each([
  ['people', 1_000, 'more than 1,000 people'],
  ['tasks', 20_000, 'holds 20,000 tasks'],
  ['attachments', 50_000, 'more than 50,000 files'],
  ['comments', 250_000, 'more than 250,000 comments'],
] as const)('more %s than a board can have are refused before they are read', async (table, most, reason) => {
  expect((await preview({}, { [table]: most })).counts.tasks).toBeGreaterThan(0)
  await expect(preview({}, { [table]: most + 1 })).rejects.toThrow(reason)
})

test('an event with a text like a book is left out, so that nobody’s history is as large', () => {
  const { all, note } = noted()
  const fit = createActivityFitting(note)
  const event = (from: string) => ({
    task: 1,
    taskTitle: 'x',
    person: 1,
    kind: 'renamed',
    detail: { from, to: 'b' },
    createdAt: AT,
  })
  expect(fit(event('a'), (person) => person)).toMatchObject({ detail: { from: 'a', to: 'b' } })
  expect(fit(event('a'.repeat(20_000)), (person) => person)).toBeNull()
  expect(all).toEqual(['events over 20,000 characters: left out'])
})

test.each([
  ['startTime', '1969-12-31T00:00:00.000Z'],
  ['startTime', '9999-01-01T00:00:00.000Z'],
  ['endTime', '0001-01-01T00:00:00.000Z'],
  ['day', '1001-01-01'],
])('a time entry is left out whose %s is %s, as no list could go on after it', (field, moment) => {
  const { all, note } = noted()
  if (!entry) throw new Error('there is no entry')
  expect(fittingEntry(entry, note)).toMatchObject({ minutes: 30 })
  expect(fittingEntry({ ...entry, [field]: moment }, note)).toBeNull()
  expect(all).toEqual(['time entries before 1970 or after 2999: left out'])
})

test('rows with long texts come a few at a time', async () => {
  async function* rows() {
    for (let n = 0; n < 5; n++) yield { content: 'x'.repeat(400_000) }
  }
  const sizes = (await Array.fromAsync(inChunks(rows(), () => 400))).map((chunk) => chunk.length)
  expect(sizes).toEqual([3, 2])
})

test('what another program’s board becomes leaves the disk its reserve', async () => {
  const full = { config: { diskReserve: 10 }, room: { disk: () => ({ free: 5, size: 100 }) } } as unknown as Services
  async function* chunks() {
    for (let n = 0; n < 2; n++) yield new Uint8Array(9 * 2 ** 20)
  }
  await expect(writeTo(full, join(folder.path, 'big'), chunks())).rejects.toThrow(NoRoom)
})

test('a Planka whose files come too slowly is asked for no more of them', async () => {
  const board = new Uint8Array(await Bun.file(fixture('planka.json')).arrayBuffer())
  const text = (given: object) => new TextEncoder().encode(JSON.stringify(given))
  let files = 0
  const access = { url: 'https://planka.test', apiKey: 'key' }
  const { file, losses } = await convertPlanka(access, '100', async (url) => {
    const isFile = url.includes('/download/')
    if (isFile) files += 1
    if (isFile) later(301)
    const bytes = url.endsWith('/boards/100') ? board : text({ items: [], included: { boards: [], customFields: [], users: [] } })
    return { status: 200, type: null, bytes }
  })
  expect([await file('file-1'), await file('file-1')].map((found) => found !== null)).toEqual([true, false])
  expect(files).toBe(1)
  expect(losses.map(({ what }) => what)).toContain('files that Planka did not give, or over 5 MB')
})
