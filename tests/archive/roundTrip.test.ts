import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { backup } from '../../src/archive/server/backup'
import { openBackup, readManifest, restore } from '../../src/archive/server/restore'
import { saveArchive } from '../../src/archive/server/writeArchive'
import { type Config, readConfig } from '../../src/config'
import type { Db } from '../../src/db/database'
import { openDatabase } from '../../src/db/openDatabase'
import { notifications } from '../../src/db/tables'
import { openFiles } from '../../src/server/files/storage'
import { type Place, placeOn, QUICKER } from '../support/places'
import { dataFolder } from '../support/process'
import { PATIENCE } from '../support/until'
import { contents, FILES, fill } from './filled'

setDefaultTimeout(PATIENCE)

/** Who is signed in, links, mails, keys, what this database alone knows of itself, and what is to be deleted. */
const STAYS = [
  'backups',
  'deleted_rows',
  'idempotency_keys',
  'imports',
  'installation',
  'magic_links',
  'mails',
  'sessions',
  'unwanted_files',
]

const places: Place[] = []
const folder = await dataFolder()
afterAll(() => Promise.all([folder.remove(), ...places.map(({ remove }) => remove())]))

async function place(on: Parameters<typeof placeOn>[0]) {
  const made = await placeOn(on)
  places.push(made)
  return readConfig(made.env)
}

async function on<T>(config: Config, work: (db: Db) => Promise<T>): Promise<T> {
  const { db, close } = await openDatabase(config)
  return work(db).finally(close)
}

/** What is in it, and in the archive that is made of it. */
async function archived(config: Config, name: string) {
  const database = await openDatabase(config)
  const file = join(folder.path, name)
  await saveArchive(file, backup({ config, database }))
  const rows = await contents(database.db)
  await database.close()
  return { file, rows }
}

const kept = (rows: Record<string, string>) => Object.fromEntries(Object.entries(rows).filter(([name]) => !STAYS.includes(name)))

let first: Config
let original: Awaited<ReturnType<typeof archived>>
beforeAll(async () => {
  first = await place(QUICKER)
  await on(first, (db) => fill(db, first.dataDir))
  original = await archived(first, 'first.zip')
})

test('an archive of either database fills the other: equal row by row, with what triggers made of the rows', async () => {
  const [second, third] = [await place('embedded'), await place(QUICKER)]
  await restore(original.file, second, () => {})
  const again = await archived(second, 'second.zip')
  expect(kept(again.rows)).toEqual(kept(original.rows))
  expect(Number.parseInt(again.rows.tasks ?? '', 10)).toBe(5_002)
  await restore(again.file, third, () => {})
  await on(third, async (db) => {
    expect(kept(await contents(db))).toEqual(kept(original.rows))
    expect(await nextIds(db)).toEqual({ user: 5, task: 5_004 })
  })
  for (const [name, bytes] of Object.entries(FILES)) expect(await fileOf(third, name)).toEqual(bytes)
  const { files, tables } = await readManifest(again.file)
  expect([files.count, files.missing]).toEqual([4, 1])
  expect(tables.find(({ name }) => name === 'tasks')).toMatchObject({ rows: 5_002, lastId: 5_003 })
})

test('nobody is signed in by an archive, no link works, and no mail is sent twice', async () => {
  const { tables } = await readManifest(original.file)
  const named = tables.map(({ name }) => name)
  expect(Object.keys(original.rows).filter((name) => !named.includes(name))).toEqual([...STAYS, 'finder_texts'].toSorted())
  const archive = await openBackup(original.file)
  for (const name of named) expect(Buffer.concat(await Array.fromAsync(archive.table(name))).toString()).not.toContain('secret')
  archive.close()
})

test('what waited for its email is not mailed once more', async () => {
  const restored = await place('embedded')
  await on(first, (db) => db.update(notifications).set({ waits: true }))
  const { file } = await archived(first, 'waiting.zip')
  await restore(file, restored, () => {})
  const counts = async (db: Db) => [await db.$count(notifications), await db.$count(notifications, eq(notifications.waits, true))]
  expect([await on(first, counts), await on(restored, counts)]).toEqual([
    [1, 1],
    [1, 0],
  ])
})

test('an installation that has accounts is left as it is', async () => {
  const before = await on(first, contents)
  await expect(restore(original.file, first, () => {})).rejects.toThrow(/^there are accounts or boards already/)
  expect(await on(first, contents)).toEqual(before)
})

async function nextIds(db: Db) {
  const next = (table: string) => sql<number>`nextval(pg_get_serial_sequence(${table}, 'id'))::int`
  const [ids] = await db.select({ user: next('users'), task: next('tasks') }).from(sql`(select) as nothing`)
  return ids
}

async function fileOf(config: Config, name: string) {
  const file = await openFiles(config).get(name)
  return file && Buffer.from(await file.bytes())
}
