import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { type BoardTables, boardRows } from '../../src/archive/schema'
import { LIST, MANIFEST, type Manifest, tableEntry } from '../../src/archive/server/archiveFormat'
import { openBoardArchive } from '../../src/archive/server/openBoardArchive'
import { writeBoardArchive } from '../../src/archive/server/writeArchive'
import { PNG } from '../support/files'
import { dataFolder } from '../support/process'
import { PATIENCE } from '../support/until'
import { bombed, changeTable, forge, misnamed, seal, slicedFrom } from './forged'

setDefaultTimeout(PATIENCE)

const AT = '2026-11-22T08:30:00.000Z'
const task = {
  ...{
    title: 'Überblick 日本語',
    description: 'a\nb',
    status: 'todo' as const,
    list: null,
    closed: false,
    dueDate: '2026-12-01',
  },
  ...{ tags: ['x'], createdBy: 1, createdAt: AT, updatedAt: null, doneAt: null },
}
const TABLES = {
  board: [{ name: 'Board', description: null, createdAt: AT }],
  people: [
    { id: 1, name: 'Ada', email: 'ada@example.com', member: true },
    { id: 2, name: 'Bob', email: null, member: false },
  ],
  tasks: [
    { id: 1, ...task },
    { id: 2, ...task, createdBy: null },
  ],
  assignees: [{ task: 1, person: 2 }],
  comments: [{ task: 1, person: 2, content: 'Hello', createdAt: AT }],
  attachments: [
    { task: 1, person: 1, name: 'x.png', file: 'one', thumbnail: 'lost', url: null, createdAt: AT },
    { task: 1, person: 1, name: 'y.png', file: null, thumbnail: null, url: 'https://example.com/y.png', createdAt: AT },
  ],
  entries: [
    {
      ...{ task: 1, person: 2, startTime: AT, endTime: null, day: '2026-11-22', timeZone: 'Asia/Tokyo', minutes: 5 },
      ...{ note: null, billable: true, createdAt: null },
    },
  ],
  rates: [{ person: 2, from: null, cents: 9_500 }],
  activities: [{ task: 1, taskTitle: 'x', person: 1, kind: 'assigned', detail: { userId: 2 }, createdAt: AT }],
} satisfies BoardTables

const folder = await dataFolder()
afterAll(folder.remove)
const good = join(folder.path, 'good.zip')

const fileOf = async (name: string) => (name === 'one' ? new Blob([PNG]) : null)
async function write(path: string, tables: BoardTables) {
  await Bun.write(path, Buffer.concat(await Array.fromAsync(writeBoardArchive(tables, fileOf))))
  return path
}

beforeAll(() => write(good, TABLES))

/** All that is in one, read as an import does. */
async function contents(path: string) {
  const archive = await openBoardArchive(path)
  try {
    const tables: Record<string, unknown> = {}
    for (const table of Object.keys(boardRows) as (keyof typeof boardRows)[])
      tables[table] = await Array.fromAsync(archive.rows(table))
    return { tables, one: await archive.file('one'), lost: [archive.size('lost'), await archive.file('lost')] }
  } finally {
    archive.close()
  }
}

test('what is written is read again, in the same words', async () => {
  expect(await contents(good)).toEqual({ tables: TABLES, one: Buffer.from(PNG), lost: [null, null] })
})

test('moments are written alike, however they came', async () => {
  const comments = [{ task: 1, person: 2, content: 'Hello', createdAt: '2026-11-22T10:30:00+02:00' }]
  expect((await contents(await write(join(folder.path, 'offset.zip'), { ...TABLES, comments }))).tables).toEqual(TABLES)
})

test('a text with commas, colons and quotation marks is one value', async () => {
  const comments = [{ task: 1, person: 2, content: ',:"\\'.repeat(10_000), createdAt: AT }]
  expect((await contents(await write(join(folder.path, 'text.zip'), { ...TABLES, comments }))).tables).toEqual({
    ...TABLES,
    comments,
  })
})

test('rows that no reader would take are not written', async () => {
  const comments = [{ task: 1, person: 2, content: 'a\0b', createdAt: AT }]
  await expect(write(join(folder.path, 'none.zip'), { ...TABLES, comments })).rejects.toThrow(/a row of comments is invalid/)
})

/** More than a line may have. */
const BOMB_BYTES = 9_000_003

const forged = (change: Parameters<typeof forge>[2]) => forge(good, folder.path, change)
/** Sealed: its manifest says what is in it. */
const withRows = (table: string, change: (text: string) => string) =>
  forged((entries, manifest) => seal(changeTable(entries, table, change), manifest))
const withManifest = (change: object) => forged((_, manifest) => Object.assign(manifest, change))
/** The manifest of the tables alone says otherwise. */
const withTables = (change: (tables: Manifest['tables']) => unknown) => forged((_, { tables }) => void change(tables))
const withTable = (at: number, given: object) => withTables((tables) => Object.assign(tables[at] ?? {}, given))
const withFiles = (change: object) => forged((_, { files }) => Object.assign(files, change))
const cut = (from: number, to?: number) => slicedFrom(good, folder.path, from, to)
const deep = '['.repeat(100_000) + ']'.repeat(100_000)

test('an archive of 0.1.0 is read, whatever tables and fields came later', async () => {
  const { tables, one } = await contents(join(import.meta.dir, 'board-0.1.0.zip'))
  expect(tables).toMatchObject(TABLES)
  expect(one).toEqual(Buffer.from(PNG))
})

test('an archive without a table reads as having no rows of it', async () => {
  const older = await forged((entries, { tables }) => entries.delete(tableEntry(tables.pop()?.name ?? '')))
  expect((await contents(older)).tables).toEqual({ ...TABLES, activities: [] })
})

describe('the archive of a board is refused in a sentence where', () => {
  const refused: [string, () => Promise<string>, RegExp][] = [
    ['it is something else', () => cut(20, 60), /^The file cannot be read as an archive/],
    ['it is cut off', () => cut(0, -30), /^The file cannot be read as an archive/],
    ['it is of an installation', async () => join(import.meta.dir, 'released/0.1.0.zip'), /an installation, not of a board/],
    ['it is one user’s data', () => withManifest({ kind: 'account' }), /one user’s data, not of a board/],
    ['it is of a kind nobody knows', () => withManifest({ kind: 'constructor' }), /something else, not of a board/],
    ['its format is newer', () => withManifest({ format: 2, wrk: '9.0' }), /a newer version of wrk, "9.0"/],
    ['its manifest is none', () => forged((entries) => entries.set(MANIFEST, Buffer.from(deep))), /manifest|installation/],
    ['its manifest has no end', () => forged((entries) => entries.set(MANIFEST, Buffer.alloc(2_000_000, ' '))), /too large/],
    ['it has what no archive has', () => forged((entries) => entries.set('a.txt', PNG)), /an unexpected entry: "a.txt"/],
    ['a name climbs out of its folder', () => misnamed(good, folder.path, 'files/../passwd'), /invalid relative path/],
    ['a name is there twice', () => misnamed(good, folder.path, 'files/one', 'files/two'), /files\/one twice/],
    [
      'its tasks are missing',
      () => forged((entries, { tables }) => entries.delete(tableEntry(tables.splice(2, 1)[0]?.name ?? ''))),
      /not have the tables of a board/,
    ],
    ['a table is not in its manifest', () => withTables((tables) => tables.pop()), /not have the tables of a board/],
    ['a table is one of an installation', () => withTable(1, { name: 'users' }), /not have the tables of a board/],
    ['it has two boards', () => withRows('board', (text) => text + text), /not hold exactly one board/],
    ['its rows are too many', () => withTable(4, { rows: 1e7 }), /larger than a board/],
    ['its rows are too large', () => withTable(4, { bytes: 1e10 }), /larger than a board/],
    ['its files are too large', () => withFiles({ total: 1e10 }), /more files than a board/],
    ['its list of files is too large', () => withFiles({ bytes: 2e7 }), /more files than a board/],
    ['its files are fewer than it says', () => withFiles({ count: 2 }), /damaged: files.ndjson/],
    ['its files are smaller than it says', () => withFiles({ total: PNG.length + 1 }), /damaged: files.ndjson/],
    ['a file is in no list', () => forged((entries) => entries.set('files/two', PNG)), /damaged: files.ndjson/],
    ['a file was changed', () => forged((entries) => entries.set('files/one', Buffer.alloc(PNG.length))), /damaged: files\/one/],
    ['a file is missing', () => forged((entries) => entries.delete('files/one')), /it has no files\/one/],
    [
      'a file is listed twice',
      () =>
        forged((entries, manifest) => {
          const list = String(entries.get(LIST))
          seal(entries.set(LIST, Buffer.from(list + list)), manifest)
        }),
      /damaged: files.ndjson/,
    ],
    [
      'a row names no file that is there',
      () => withRows('attachments', (text) => text.replace('"one"', '"../one"')),
      /lacks a file that it refers to: "..\/one"/,
    ],
    ['a table is larger than its header says', () => bombed(good, folder.path, BOMB_BYTES), /too many bytes/],
    [
      'a table is larger than its manifest says',
      () => forged((entries) => entries.set('tables/tasks.ndjson', Buffer.alloc(BOMB_BYTES, 'a'))),
      /damaged: tables/,
    ],
    [
      'a row has far more than any',
      () => withRows('tasks', (text) => text.replace('["x"]', () => JSON.stringify(Array(100_000).fill('')))),
      /too many values in line 1 of tasks/,
    ],
    [
      'a row hides how much it has behind quotation marks',
      () => withRows('tasks', (text) => text.replace('["x"]', () => JSON.stringify(Array(3_000).fill('\\"')))),
      /too many values in line 1 of tasks/,
    ],
    [
      'a table has more rows than its manifest says',
      () =>
        forged((entries, manifest) => {
          seal(
            changeTable(entries, 'comments', (text) => `${text}${'none\n'.repeat(1_000)}`),
            manifest,
          )
          Object.assign(manifest.tables[4] ?? {}, { rows: 1 })
        }),
      /damaged: tables\/comments/,
    ],
    [
      'a text is longer than other programs have them',
      () => withRows('comments', (text) => text.replace('Hello', 'x'.repeat(2_200_000))),
      /line of the archive is too long/,
    ],
    ['a line never ends', () => withRows('comments', () => 'a'.repeat(BOMB_BYTES)), /line of the archive is too long/],
    [
      'a row was changed',
      () => forged((entries) => changeTable(entries, 'comments', (text) => text.replace('Hello', 'Hallo'))),
      /damaged: tables\/comments/,
    ],
    ['a row is missing', () => withTable(4, { rows: 2 }), /damaged: tables\/comments/],
    ['a row is no JSON', () => withRows('rates', () => '{"person": 2\n'), /line 1 of rates/],
    [
      'a row does not fit',
      () => withRows('tasks', (text) => text.replace('"todo"', '"doing"')),
      /line 1 of tasks is invalid: status/i,
    ],
    [
      'a moment is none',
      () => withRows('comments', (text) => text.replace('11-22', '02-30')),
      /line 1 of comments is invalid: createdAt/,
    ],
    [
      'a year is none',
      () => withRows('comments', (text) => text.replace('2026', '0000')),
      /line 1 of comments is invalid: createdAt/,
    ],
    [
      'a text cannot be stored',
      () => withRows('comments', (text) => text.replace('Hello', '\\u0000')),
      /line 1 of comments is invalid: content/,
    ],
    [
      'a text is half a character',
      () => withRows('comments', (text) => text.replace('Hello', '\\ud800')),
      /line 1 of comments is invalid: content/,
    ],
    [
      'something in it is deep',
      () => withRows('activities', (text) => text.replace('"userId":2', `"x":${deep}`)),
      /line 1 of activities is invalid: detail/,
    ],
    [
      'a text deep in it cannot be stored',
      () => withRows('activities', (text) => text.replace('"userId":2', '"x":["\\u0000"]')),
      /activities is invalid: detail/,
    ],
    ['two people have a number', () => withRows('people', (text) => text.replace('"id":2', '"id":1')), /the id 1 twice/],
    ['two tasks have a number', () => withRows('tasks', (text) => text.replace('"id":2', '"id":1')), /the id 1 twice/],
    [
      'a row is of nobody',
      () => withRows('comments', (text) => text.replace('"person":2', '"person":3')),
      /does not exist, 3, in comments/,
    ],
    [
      'a row is of no task',
      () => withRows('entries', (text) => text.replace('"task":1', '"task":7')),
      /does not exist, 7, in entries/,
    ],
    [
      'a task is of nobody',
      () => withRows('tasks', (text) => text.replace('"createdBy":1', '"createdBy":9')),
      /does not exist, 9, in tasks/,
    ],
    [
      'history names nobody',
      () => withRows('activities', (text) => text.replace('"userId":2', '"userId":8')),
      /does not exist, 8, in activities/,
    ],
  ]

  test.each(refused)('%s', async (_, make, why) => {
    const error = await contents(await make()).catch((error: Error) => error)
    expect((error as Error).message).toMatch(why)
    expect((error as Error).message).not.toContain('\n')
    expect((error as Error).message).not.toContain(folder.path)
  })
})
