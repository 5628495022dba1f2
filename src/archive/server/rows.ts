import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { archivedTables, inSnapshot, nameLines, type TableRows } from '../../db/snapshot'
import { measureDisk } from '../../server/room'
import { ArchiveFailed } from '../schema'
import { spoolIn } from './cutOff'
import type { Source } from './source'
import { databaseBytes } from './store'

/** What is done with the rows, and then with the names of the files. */
type Taking<T, F> = { tables(tables: TableRows[]): Promise<T>; files(names: AsyncIterable<string>): Promise<F> }

/** The embedded database counts as so large a heap that garbage is left lying for long. */
const GARBAGE_BYTES = 8 * 2 ** 20

/**
 * Takes the rows of one moment, then the files that they name. Of the embedded database rows are written to the disk first, as
 * nobody else can use it meanwhile. On a server no table is held while files are taken: a migration would wait for that, and
 * everybody for the migration.
 */
export async function withRows<T, F>(source: Source, take: Taking<T, F>): Promise<{ tables: T; files: F }> {
  const folder = await folderFor(source)
  try {
    const { tables, names } = await (source.database.url ? streamed : spooled)(source, folder, take.tables)
    return { tables, files: await take.files(names()) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function folderFor({ config, database }: Source): Promise<string> {
  if (database.url) return mkdtemp(join(tmpdir(), 'wrk-backup-'))
  const folder = spoolIn(config.dataDir)
  // What a killed process left.
  await rm(folder, { recursive: true, force: true })
  if (measureDisk(config.dataDir).free < (await databaseBytes(database.db)) + config.diskReserve)
    throw new ArchiveFailed(`a backup takes as much room for a while as the database does, and ${config.dataDir} has not so much`)
  await mkdir(folder, { mode: 0o700 })
  return folder
}

type Tables<T> = Taking<T, unknown>['tables']

const streamed = <T>({ database }: Source, folder: string, take: Tables<T>) =>
  inSnapshot(database, async (ask) => ({
    tables: await take(await archivedTables(ask)),
    names: await written(folder, NAMES, nameLines(ask)),
  }))

async function spooled<T>({ database }: Source, folder: string, take: Tables<T>) {
  const { tables, names } = await inSnapshot(database, async (ask) => {
    const copies: TableRows[] = []
    for (const table of await archivedTables(ask))
      copies.push({ ...table, lines: await written(folder, table.name, table.lines()) })
    return { tables: copies, names: await written(folder, NAMES, nameLines(ask)) }
  })
  return { tables: await take(tables), names }
}

const NAMES = 'names of files'

/** Lines, written to the disk and read from it again. */
export async function written(folder: string, name: string, lines: AsyncIterable<string>): Promise<() => AsyncIterable<string>> {
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

/** Opened only once somebody reads: a stream that nobody listens to ends the process when its file is gone. */
async function* readLines(path: string): AsyncGenerator<string> {
  yield* createReadStream(path, { encoding: 'utf8' })
}
