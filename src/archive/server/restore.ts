import type { Config } from '../../config'
import type { Database } from '../../db/database'
import { sqlState } from '../../db/failures'
import { forgetFiles, markRestore, openEmpty, refill, unmarkRestore, writtenFiles } from '../../db/refill'
import { log } from '../../log'
import { reasonOf } from '../../server/errors'
import { type FileStore, openFiles } from '../../server/files/storage'
import { measureDisk } from '../../server/room'
import { ArchiveFailed } from '../schema'
import { linesIn } from './lines'
import type { Manifest } from './manifest'
import { type Archive, openArchive } from './opened'
import { restoreFiles } from './restoreFiles'

/** Into an empty installation: all of it, or nothing. Throws ArchiveFailed, CannotOpen. */
export async function restore(path: string, config: Config, say: (text: string) => void): Promise<Manifest> {
  const archive = await openArchive(path)
  const { manifest } = archive
  try {
    assertRoom(manifest, config)
    const database = await openEmpty(config)
    await restoreInto(database, path, archive, openFiles(config), say).finally(database.close)
    return manifest
  } finally {
    archive.close()
  }
}

async function restoreInto(database: Database, path: string, archive: Archive, store: FileStore, say: (text: string) => void) {
  const { tables, files, migration } = archive.manifest
  await dropFiles(database, store, await markRestore(database))
  try {
    say(`${files.count} files …`)
    await restoreFiles(path, archive, database, store)
    say(`${rowsOf(tables)} rows …`)
    await refill(
      database,
      migration,
      tables.map((one) => ({ ...one, lines: linesIn(archive.table(one.name)) })),
    ).catch(fits(path))
  } catch (error) {
    await dropFiles(database, store, await writtenFiles(database))
    await unmarkRestore(database)
    throw error
  }
}

export const rowsOf = (tables: Manifest['tables']): number => tables.reduce((sum, { rows }) => sum + rows, 0)

/** Rows with their indexes take more than as text: what does not fit twice is refused before anything is written. */
function assertRoom({ tables, files }: Manifest, { databaseUrl, s3, dataDir, diskReserve }: Config) {
  const rows = databaseUrl ? 0 : 2 * tables.reduce((sum, { bytes }) => sum + bytes, 0)
  const needed = rows + (s3 ? 0 : files.total)
  if (needed > 0 && measureDisk(dataDir).free < needed + diskReserve)
    throw new ArchiveFailed(`${dataDir} has no room for it: ${Math.ceil(needed / 2 ** 20)} MB are needed`)
}

const fits = (path: string) => (error: unknown) => {
  throw sqlState(error) ? new ArchiveFailed(`${path} does not fit, and nothing was written: ${reasonOf(error)}`) : error
}

async function dropFiles(database: Database, store: FileStore, names: string[]) {
  for (const name of names) await store.delete(name).catch(tellLeft(name))
  await forgetFiles(database)
}

/** The restore fails or begins for what it did itself, and not for what lies about. */
const tellLeft = (name: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') log.warn(`the file ${name} of a restore that failed could not be deleted: ${reasonOf(error)}`)
}
