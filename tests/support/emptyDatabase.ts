import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { dependencies } from '../../package.json'
import { extensions, migratedDb } from '../../src/db/pglite'

const MIGRATIONS = join(import.meta.dir, '../../drizzle')
const migrations = readdirSync(MIGRATIONS)
  .filter((name) => name.endsWith('.sql'))
  .toSorted()
const texts = [...migrations, 'meta/_journal.json'].map((name) => [name, readFileSync(join(MIGRATIONS, name), 'utf8')])

/** Names what the migrations and the packages make of an empty database. */
export const made = Bun.hash(JSON.stringify([texts, dependencies])).toString(36)
const file = join(import.meta.dir, `../../node_modules/.cache/wrk/emptyDatabase-${made}.tar`)

/** An embedded database with every migration and nothing in it, made once: making one takes seconds. */
export async function emptyDatabase(): Promise<Bun.BunFile> {
  if (!existsSync(file)) await make()
  return Bun.file(file)
}

/** Lays it into a folder of data, as after a first start. */
export async function putEmptyDatabase(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'postgres')
  await Promise.all([mkdir(folder, { recursive: true }), emptyDatabase()])
  const { exitCode, stderr } = Bun.spawnSync(['tar', '-xf', file, '-C', folder])
  if (exitCode !== 0) throw new Error(stderr.toString())
}

async function make() {
  const client = await PGlite.create({ extensions })
  await migratedDb(client)
  await client.query('checkpoint')
  const archive = await client.dumpDataDir('none')
  await client.close()
  await mkdir(join(file, '..'), { recursive: true })
  const unfinished = `${file}.${process.pid}`
  await Bun.write(unfinished, archive)
  await rename(unfinished, file)
}

if (import.meta.main) await emptyDatabase()
