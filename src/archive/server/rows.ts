import { createReadStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { archivedTables, inSnapshot, nameLines, type TableRows } from '../../db/snapshot'
import { measureDisk } from '../../server/room'
import { ArchiveFailed } from '../schema'
import type { Source } from './source'
import { databaseBytes } from './store'

export type Rows = { tables: TableRows[]; names(): AsyncIterable<string> }

/** The embedded database counts as so large a heap that garbage is left lying for long. */
const GARBAGE_BYTES = 8 * 2 ** 20

/** The rows of one moment. Of the embedded database they are written to the disk first, as nobody else can use it meanwhile. */
export async function withRows<T>({ config, database }: Source, work: (rows: Rows) => Promise<T>): Promise<T> {
  if (database.url)
    return inSnapshot(database, async (ask) => work({ tables: await archivedTables(ask), names: () => nameLines(ask) }))
  const folder = join(config.dataDir, 'spool')
  const { free } = measureDisk(config.dataDir)
  if (free < (await databaseBytes(database.db)) + config.diskReserve)
    throw new ArchiveFailed(`a backup takes as much room for a while as the database does, and ${config.dataDir} has not so much`)
  try {
    // What a killed process left.
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { mode: 0o700 })
    return await work(await spool(database, folder))
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
