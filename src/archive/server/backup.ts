import { newestMigration } from '../../db/migrations'
import type { TableRows } from '../../db/snapshot'
import { reasonOf } from '../../server/errors'
import { openFiles } from '../../server/files/storage'
import { ArchiveFailed } from '../schema'
import { linesIn } from './lines'
import type { Manifest } from './manifest'
import { withRows } from './rows'
import type { Source } from './source'
import { beginBackup, endBackup, holdOn, type Outcome } from './store'
import { addFiles, addTable, archived } from './written'
import type { Zip } from './zip'

const HOLD_EVERY_MS = 15_000

const NOT_HELD = 'the process was stopped for too long in the middle of it: files that it needs may have been deleted'
const UNDER_WAY = 'a backup is under way, or one was cut off less than a minute ago'

/** The archive of everything, made as it is read: docs/archive.md. Throws ArchiveFailed. */
export async function* backup(source: Source): AsyncGenerator<Uint8Array> {
  const { db } = source.database
  const id = await beginBackup(db)
  if (id === undefined) throw new ArchiveFailed(UNDER_WAY)
  let bytes = 0
  let outcome: Outcome = { error: 'nobody took it to its end' }
  try {
    for await (const chunk of archiveOf(source, id)) {
      bytes += chunk.length
      yield chunk
    }
    outcome = { bytes }
  } catch (error) {
    outcome = { error: reasonOf(error) }
    throw error
  } finally {
    await endBackup(db, id, outcome)
  }
}

/** Of a backup that was begun, which its caller ends: until then no file is deleted. */
export const archiveOf = (source: Source, id: number): AsyncGenerator<Uint8Array> =>
  archived(async (zip) => {
    async function hold() {
      if (!(await holdOn(source.database.db, id))) throw new ArchiveFailed(NOT_HELD)
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

async function write(source: Source, zip: Zip) {
  const store = openFiles(source.config)
  const { tables, files } = await withRows(source, {
    tables: (rows) => writeTables(rows, zip),
    files: (names) => addFiles(zip, linesIn(names), (name) => store.get(name)),
  })
  return { migration: newestMigration, tables, files }
}

async function writeTables(tables: TableRows[], zip: Zip): Promise<Manifest['tables']> {
  const written: Manifest['tables'] = []
  for (const { name, lastId, lines } of tables) written.push({ ...(await addTable(zip, name, lines())), lastId })
  return written
}
