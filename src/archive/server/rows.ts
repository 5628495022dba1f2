import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { archivedTables, inSnapshot, nameLines, type TableRows } from '../../db/snapshot'
import { measureDisk } from '../../server/room'
import { ArchiveFailed } from '../schema'
import type { Source } from './source'
import { databaseBytes } from './store'

type Rows = { tables: TableRows[]; names(): AsyncIterable<string> }
type Taking<T, F> = { tables(tables: TableRows[]): Promise<T>; files(names: AsyncIterable<string>): Promise<F> }

/** The embedded database counts as so large a heap that garbage is left lying for long. */
const GARBAGE_BYTES = 8 * 2 ** 20

/**
 * Takes the rows of one moment, then the files that they name. Of the embedded database rows are written to the disk first, as
 * nobody else can use it meanwhile. On a server no table is held while files are taken: a migration would wait for that, and
 * everybody for the migration.
 */
export async function withRows<T, F>({ config, database }: Source, take: Taking<T, F>): Promise<{ tables: T; files: F }> {
  if (database.url) {
    const folder = await mkdtemp(join(tmpdir(), 'wrk-backup-'))
    try {
      const { tables, names } = await inSnapshot(database, async (ask) => ({
        tables: await take.tables(await archivedTables(ask)),
        names: await written(folder, 'names of files', nameLines(ask)),
      }))
      return { tables, files: await take.files(names()) }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  const folder = join(config.dataDir, 'spool')
  // What a killed process left.
  await rm(folder, { recursive: true, force: true })
  const { free } = measureDisk(config.dataDir)
  if (free < (await databaseBytes(database.db)) + config.diskReserve)
    throw new ArchiveFailed(`a backup takes as much room for a while as the database does, and ${config.dataDir} has not so much`)
  try {
    await mkdir(folder, { mode: 0o700 })
    const { tables, names } = await spool(database, folder)
    return { tables: await take.tables(tables), files: await take.files(names()) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const spool = (database: Source['database'], folder: string): Promise<Rows> =>
  inSnapshot(database, async (ask) => {
    const spooled: TableRows[] = []
    for (const table of await archivedTables(ask))
      spooled.push({ ...table, lines: await written(folder, table.name, table.lines()) })
    return { tables: spooled, names: await written(folder, 'names of files', nameLines(ask)) }
  })

async function written(folder: string, name: string, lines: AsyncIterable<string>): Promise<() => AsyncIterable<string>> {
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
  return () => createReadStream(path, { encoding: 'utf8' })
}
