import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../config'
import type { Database } from '../../db/database'
import { messageOf } from '../../db/failures'
import { newestMigration } from '../../db/migrations'
import { archivedTables, fileNameLines, inSnapshot, type TableRows } from '../../db/snapshot'
import { measureDisk } from '../../server/diskGuard'
import { openFiles } from '../../server/files/storage'
import { ArchiveFailed } from '../schema'
import { linesIn, type Manifest } from './archiveFormat'
import { beginBackup, databaseBytes, endBackup, noteInterruption, type Outcome, renewBackup } from './store'
import { addFiles, addTable, streamArchive, type Zip } from './writeArchive'

const HOLD_EVERY_MS = 15_000

const NOT_HELD = 'the process paused for too long during the backup: files that it needs may have been deleted'
const UNDER_WAY = 'a backup is already running, or one was interrupted less than a minute ago: try again in a minute'

/** Streams the archive of an installation (docs/archive.md). Throws ArchiveFailed. */
export async function* backup(source: Source): AsyncGenerator<Uint8Array> {
  const { db } = source.database
  const id = await beginBackup(db)
  if (id === undefined) throw new ArchiveFailed(UNDER_WAY)
  let bytes = 0
  let outcome: Outcome = { error: 'it was interrupted before it finished' }
  try {
    for await (const chunk of installationArchive(source, id)) {
      bytes += chunk.length
      yield chunk
    }
    outcome = { bytes }
  } catch (error) {
    outcome = { error: messageOf(error) }
    throw error
  } finally {
    await endBackup(db, id, outcome)
  }
}

/** The caller has begun the backup and ends it: until then no file is deleted. */
export const installationArchive = (source: Source, id: number): AsyncGenerator<Uint8Array> =>
  streamArchive(async (zip) => {
    async function hold() {
      if (!(await renewBackup(source.database.db, id))) throw new ArchiveFailed(NOT_HELD)
    }
    const holding = setInterval(() => void hold().catch(zip.fail), HOLD_EVERY_MS)
    try {
      const manifest = await write(source, zip)
      await hold()
      return manifest
    } finally {
      clearInterval(holding)
    }
  })

/**
 * Takes the rows of one snapshot, then the files that they name. Rows of the embedded database go to the disk first, because nobody
 * else can use it meanwhile. On a server no table stays locked while files are copied, or a migration would hold everyone up.
 */
async function write(source: Source, zip: Zip) {
  const store = openFiles(source.config)
  const folder = await folderFor(source)
  try {
    const { tables, names } = await (source.database.url ? streamed : spooled)(source, folder, zip)
    return { migration: newestMigration, tables, files: await addFiles(zip, linesIn(names()), (name) => store.get(name)) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function writeTables(tables: TableRows[], zip: Zip): Promise<Manifest['tables']> {
  const written: Manifest['tables'] = []
  for (const { name, lastId, lines } of tables) written.push({ ...(await addTable(zip, name, lines())), lastId })
  return written
}

/** The embedded database makes the heap so large that garbage is collected late. */
const GARBAGE_BYTES = 8 * 2 ** 20

async function folderFor({ config, database }: Source): Promise<string> {
  if (database.url) return mkdtemp(join(tmpdir(), 'wrk-backup-'))
  const folder = spoolIn(config.dataDir)
  // A killed process may have left it.
  await rm(folder, { recursive: true, force: true })
  if (measureDisk(config.dataDir).free < (await databaseBytes(database.db)) + config.diskReserve)
    throw new ArchiveFailed(
      `a backup temporarily needs as much space as the database, and ${config.dataDir} has less than that free`,
    )
  await mkdir(folder, { mode: 0o700 })
  return folder
}

const streamed = ({ database }: Source, folder: string, zip: Zip) =>
  inSnapshot(database, async (run) => ({
    tables: await writeTables(await archivedTables(run), zip),
    names: await spoolLines(folder, NAMES, fileNameLines(run)),
  }))

async function spooled({ database }: Source, folder: string, zip: Zip) {
  const { tables, names } = await inSnapshot(database, async (run) => {
    const copies: TableRows[] = []
    for (const table of await archivedTables(run))
      copies.push({ ...table, lines: await spoolLines(folder, table.name, table.lines()) })
    return { tables: copies, names: await spoolLines(folder, NAMES, fileNameLines(run)) }
  })
  return { tables: await writeTables(tables, zip), names }
}

const NAMES = 'names of files'

export async function spoolLines(
  folder: string,
  name: string,
  lines: AsyncIterable<string>,
): Promise<() => AsyncIterable<string>> {
  const path = join(folder, name)
  const writer = Bun.file(path).writer()
  let fresh = 0
  for await (const part of lines) {
    writer.write(part)
    fresh += part.length
    await writer.flush()
    if (fresh < GARBAGE_BYTES) continue
    Bun.gc(true)
    fresh = 0
  }
  await writer.end()
  return () => readLines(path)
}

/** Opened on reading: an unread stream would crash the process when its file goes. */
async function* readLines(path: string): AsyncGenerator<string> {
  yield* createReadStream(path, { encoding: 'utf8' })
}

const spoolIn = (dataDir: string): string => join(dataDir, 'spool')

/** Only for the embedded database, which no other process has open. */
export async function endInterruptedBackup({ config, database }: Source): Promise<void> {
  await rm(spoolIn(config.dataDir), { recursive: true, force: true })
  await noteInterruption(database.db)
}

export type Source = { config: Config; database: Database }
