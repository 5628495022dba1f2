import type { Config } from '../../config'
import type { Database } from '../../db/database'
import { messageOf, sqlState } from '../../db/failures'
import { isKnownMigration } from '../../db/migrations'
import {
  forgetNotedFiles,
  markRestore,
  noteFiles,
  openEmpty,
  restoreRows,
  unmarkRestore,
  writtenFiles,
} from '../../db/restoreRows'
import { countText } from '../../format'
import { log } from '../../log'
import { measureDisk } from '../../server/diskGuard'
import { type FileStore, openFiles } from '../../server/files/storage'
import { ArchiveFailed } from '../schema'
import { type Digest, installationManifest, LIST, type Listed, linesIn, type Manifest, tableEntry } from './archiveFormat'
import { damaged, newer, openZip, readHead } from './archiveZip'
import { listedFiles } from './openBoardArchive'

type Backup = Awaited<ReturnType<typeof openBackup>>

/** Opens the archive of an installation. Throws ArchiveFailed if this version cannot read it. */
export async function openBackup(path: string) {
  const zip = await openZip(path, { called: path })
  try {
    const known = await readHead(zip, 'installation', installationManifest)
    if (!isKnownMigration(known.migration)) throw newer(path, known.wrk)
    return {
      manifest: known,
      table: (name: string) => zip.read(tableEntry(name), tableOf(known, name)),
      list: () => zip.read(LIST, known.files),
      files: zip.files,
      close: zip.close,
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

export async function readManifest(path: string): Promise<Manifest> {
  const backup = await openBackup(path)
  backup.close()
  return backup.manifest
}

function tableOf({ tables }: Manifest, name: string): Digest {
  const found = tables.find((table) => table.name === name)
  if (!found) throw new Error(`no table ${name}`)
  return found
}

/** Restores all or nothing into an empty installation. Throws ArchiveFailed, CannotOpen. */
export async function restore(path: string, config: Config, say: (text: string) => void): Promise<Manifest> {
  const backup = await openBackup(path)
  const { manifest } = backup
  try {
    assertRoom(manifest, config)
    const database = await openEmpty(config)
    await restoreInto(database, path, backup, openFiles(config), say).finally(database.close)
    return manifest
  } finally {
    backup.close()
  }
}

async function restoreInto(database: Database, path: string, backup: Backup, store: FileStore, say: (text: string) => void) {
  const { tables, files, migration } = backup.manifest
  await deleteFiles(database, store, await markRestore(database))
  try {
    say(`${countText(files.count, 'file')} …`)
    await restoreFiles(path, backup, database, store)
    say(`${countText(rowsOf(tables), 'row')} …`)
    await restoreRows(
      database,
      migration,
      tables.map((one) => ({ ...one, lines: linesIn(backup.table(one.name)) })),
    ).catch(fits(path))
  } catch (error) {
    await deleteFiles(database, store, await writtenFiles(database))
    await unmarkRestore(database)
    throw error
  }
}

export const rowsOf = (tables: Manifest['tables']): number => tables.reduce((sum, { rows }) => sum + rows, 0)

/** Rows with their indexes take about twice their text. */
function assertRoom({ tables, files }: Manifest, { databaseUrl, s3, dataDir, diskReserve }: Config) {
  const rows = databaseUrl ? 0 : 2 * tables.reduce((sum, { bytes }) => sum + bytes, 0)
  const needed = rows + (s3 ? 0 : files.total)
  if (needed > 0 && measureDisk(dataDir).free < needed + diskReserve)
    throw new ArchiveFailed(`${dataDir} has no space for the archive, which needs ${Math.ceil(needed / 2 ** 20)} MB`)
}

const fits = (path: string) => (error: unknown) => {
  throw sqlState(error) ? new ArchiveFailed(`${path} could not be restored, and nothing was written: ${messageOf(error)}`) : error
}

async function deleteFiles(database: Database, store: FileStore, names: string[]) {
  for (const name of names) await store.delete(name).catch(tellLeft(name))
  await forgetNotedFiles(database)
}

/** A file left behind does not fail the restore. */
const tellLeft = (name: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') log.warn(`the file ${name}, left by a failed restore, could not be deleted: ${messageOf(error)}`)
}

type Known = { name: string; bytes?: Uint8Array; isNew: boolean }

const FILES_AT_ONCE = 8
const BYTES_AT_ONCE = 64 * 2 ** 20

/** Files that the store already has stay. Throws ArchiveFailed. */
async function restoreFiles(path: string, backup: Backup, database: Database, store: FileStore): Promise<void> {
  let batch: Known[] = []
  let size = 0
  async function flush() {
    await noteFiles(database, batch)
    for (const { name, bytes, isNew } of batch) if (bytes && isNew) await store.put(name, bytes, 'application/octet-stream')
    batch = []
    size = 0
  }
  for await (const known of knownFiles(path, backup, store)) {
    size += known.bytes?.length ?? 0
    if (batch.push(known) === FILES_AT_ONCE || size >= BYTES_AT_ONCE) await flush()
  }
  await flush()
}

/** The list and the files are in the same order. */
async function* knownFiles(path: string, backup: Backup, store: FileStore): AsyncGenerator<Known> {
  const files = backup.files()
  for await (const one of listedFiles(path, backup.list(), backup.manifest.files.total)) {
    if ('missing' in one) {
      yield { name: one.name, isNew: false }
      continue
    }
    const { value: file } = await files.next()
    const bytes = await file?.bytes()
    if (!bytes || bytes.length !== one.bytes || file.name !== one.name || hashOf(bytes) !== one.sha256)
      throw damaged(path, one.name)
    yield { name: one.name, bytes, isNew: await isNew(store, one) }
  }
  if (!(await files.next()).done) throw damaged(path, LIST)
}

async function isNew(store: FileStore, { name, sha256 }: Extract<Listed, { sha256: string }>): Promise<boolean> {
  const there = await store.get(name)
  if (!there) return true
  if (hashOf(await there.bytes()) === sha256) return false
  throw new ArchiveFailed(`the store already has a different file named ${name}, which the archive would overwrite`)
}

const hashOf = (bytes: Uint8Array): string => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
