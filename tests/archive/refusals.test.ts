import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { LIST, MANIFEST } from '../../src/archive/server/archiveFormat'
import { restore } from '../../src/archive/server/restore'
import { type Config, readConfig } from '../../src/config'
import { openEmpty } from '../../src/db/restoreRows'
import { runOn } from '../../src/db/statements'
import { type Place, placeOn, QUICKER } from '../support/places'
import { dataFolder } from '../support/process'
import { PATIENCE } from '../support/until'
import { bombed, changeTable, digestOf, forge, misnamed, seal, slicedFrom } from './forged'

setDefaultTimeout(PATIENCE)

const GOOD = join(import.meta.dir, 'released/0.1.0.zip')
const FILE = /^files\//

const BOMB_BYTES = 20_000_003
const UNFIT = /could not be restored, and nothing was written/

const folder = await dataFolder()
let place: Place
let config: Config
/** The embedded one begins with its schema. */
let tablesBefore: unknown
beforeAll(async () => {
  place = await placeOn(QUICKER)
  config = readConfig(place.env)
  tablesBefore = await countTables()
})
afterAll(() => Promise.all([folder.remove(), place.remove()]))

const forged = (change: Parameters<typeof forge>[2]) => forge(GOOD, folder.path, change)
const restored = (path: string) => restore(path, config, () => {})
const withManifest = (given: object) => forged((_, manifest) => Object.assign(manifest, given))
/** Sealed: its manifest says what is in it. */
const withTable = (table: string, bytes: Buffer) =>
  forged((entries, manifest) => seal(entries.set(`tables/${table}.ndjson`, bytes), manifest))
const filesIn = (entries: Map<string, Buffer>) => [...entries.keys()].filter((name) => FILE.test(name))
const cut = (from: number, to?: number) => slicedFrom(GOOD, folder.path, from, to)

async function countTables() {
  const { db, close } = await openEmpty(config)
  const [{ tables } = {}] = await runOn(db)(
    sql`select count(*)::int as tables from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  await close()
  return tables
}

describe('an archive is refused in a sentence, and nothing is written, where', () => {
  const refused: [string, () => Promise<string>, RegExp][] = [
    ['there is none', async () => join(folder.path, 'none.zip'), /cannot be read as an archive: ENOENT/],
    ['it is something else', () => cut(20, 25), /cannot be read as an archive: it is incomplete or not a ZIP file$/],
    ['it is cut off', () => cut(0, -30), /cannot be read as an archive: it is incomplete/],
    ['its end is that of another', () => cut(500), /cannot be read as an archive|damaged|no archive/],
    [
      'it has no manifest',
      () => forged((entries) => entries.set('files/x', Buffer.alloc(0)).set(MANIFEST, Buffer.from('{}'))),
      /has an invalid manifest/,
    ],
    ['its format is a newer one', () => withManifest({ format: 2, wrk: '9.0' }), /newer version of wrk, "9.0"/],
    ['its schema is a newer one', () => withManifest({ migration: 4102444800000 }), /newer version of wrk/],
    [
      'it has what no backup writes',
      () => forged((entries) => entries.set('readme.txt', Buffer.alloc(0))),
      /an unexpected entry/,
    ],
    [
      'a name climbs out of its folder',
      () => misnamed(GOOD, folder.path, 'files/../passwd'),
      /cannot be read as an archive: invalid relative path/,
    ],
    ['a name is absolute', () => misnamed(GOOD, folder.path, '/iles/xx-passwd'), /cannot be read as an archive: absolute path/],
    [
      'a table is larger than its manifest says',
      () => forged((entries) => entries.set('tables/tasks.ndjson', Buffer.alloc(BOMB_BYTES, 'a'))),
      /damaged: tables\/tasks.ndjson/,
    ],
    [
      'a table is larger than its own header says',
      () => bombed(GOOD, folder.path, BOMB_BYTES),
      /cannot be read as an archive: too many bytes/,
    ],
    ['a line never ends', () => withTable('users', Buffer.alloc(20_000_000, 'a')), /A line of the archive is too long/],
    [
      'a row was changed',
      () => forged((entries) => changeTable(entries, 'users', (text) => text.replace('maya', 'mayo'))),
      /damaged: tables\/users.ndjson/,
    ],
    [
      'a row is missing',
      () => forged((_, manifest) => Object.assign(manifest.tables.find(({ name }) => name === 'comments') ?? {}, { rows: 77 })),
      /comments does not have as many rows/,
    ],
    ['a row does not fit', () => withTable('comments', Buffer.from('{"id": "x"}\n')), UNFIT],
    ['a row refers to nothing', () => withTable('users', Buffer.alloc(0)), UNFIT],
    ...['others', 'pg_user_mapping', 'sessions', 'mails', 'unwanted_files'].map(
      (name): [string, () => Promise<string>, RegExp] => [
        `it has a table ${name}`,
        () =>
          forged((entries, manifest) => {
            manifest.tables.push({ name, rows: 0, lastId: null, ...digestOf(Buffer.alloc(0)) })
            entries.set(`tables/${name}.ndjson`, Buffer.alloc(0))
          }),
        new RegExp(`a table that no wrk backup has: ${name}`),
      ],
    ),
    [
      'its files are more than there was room for',
      () => forged((_, manifest) => Object.assign(manifest.files, { total: 1 })),
      /damaged: files.ndjson/,
    ],
    [
      'a file was changed',
      () => forged((entries) => filesIn(entries).forEach((name) => void entries.set(name, Buffer.from('other')))),
      /damaged: /,
    ],
    ['a file is missing', () => forged((entries) => filesIn(entries).forEach((name) => void entries.delete(name))), /damaged: /],
    [
      'no row needs a file',
      () =>
        forged((entries, manifest) => {
          const line = JSON.stringify({ name: 'zz', ...digestOf(Buffer.from('z')) })
          entries.set('files/zz', Buffer.from('z')).set(LIST, Buffer.from(`${entries.get(LIST)}${line}\n`))
          seal(entries, manifest)
          manifest.files.total += 1
        }),
      /its rows and its files differ in "zz"/,
    ],
    [
      'a row names a file elsewhere',
      () =>
        forged((entries, manifest) =>
          seal(
            changeTable(entries, 'attachments', (text) => text.replace('"filename":"', '"filename":"../')),
            manifest,
          ),
        ),
      /its rows and its files differ in/,
    ],
  ]

  test.each(refused)('%s', async (_, make, why) => {
    const error = await restored(await make()).catch((error: Error) => error)
    expect(String((error as Error).message)).toMatch(why)
    expect((error as Error).message).not.toContain('\n')
  })

  test('so that afterwards there is nothing', async () => {
    expect(await countTables()).toBe(tablesBefore)
    expect(await readdir(join(config.dataDir, 'uploads')).catch(() => [])).toEqual([])
    await restored(GOOD)
    expect(await readdir(join(config.dataDir, 'uploads'))).not.toEqual([])
  })
})
