import { version } from '../../../package.json'
import { newestMigration } from '../../db/migrations'
import type { TableRows } from '../../db/snapshot'
import { reasonOf } from '../../server/errors'
import { openFiles } from '../../server/files/storage'
import { ArchiveFailed } from '../schema'
import { linesIn } from './lines'
import { type Digest, FORMAT, fileEntry, LIST, type Listed, MANIFEST, type Manifest, tableEntry } from './manifest'
import { withRows } from './rows'
import type { Source } from './source'
import { beginBackup, endBackup, holdOn, type Outcome } from './store'
import { createZip, type Zip } from './zip'

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
export async function* archiveOf(source: Source, id: number): AsyncGenerator<Uint8Array> {
  const { db } = source.database
  const zip = createZip()
  async function hold() {
    if (!(await holdOn(db, id))) throw new ArchiveFailed(NOT_HELD)
  }
  const holding = setInterval(() => void hold().catch(zip.fail), HOLD_EVERY_MS)
  const written = write(source, zip).then(hold).then(zip.end)
  written.catch(zip.fail)
  try {
    yield* zip.output
    await written
  } finally {
    clearInterval(holding)
    zip.fail(new Error('the backup has ended'))
  }
}

async function write(source: Source, zip: Zip): Promise<void> {
  const createdAt = new Date().toISOString()
  const { tables, files } = await withRows(source, {
    tables: (rows) => writeTables(rows, zip),
    files: (names) => writeFiles(source, names, zip),
  })
  const manifest: Manifest = { format: FORMAT, wrk: version, migration: newestMigration, createdAt, tables, files }
  await zip.add(MANIFEST, once(JSON.stringify(manifest, null, 2)), true)
}

async function writeTables(tables: TableRows[], zip: Zip): Promise<Manifest['tables']> {
  const written: Manifest['tables'] = []
  for (const { name, lastId, lines } of tables) {
    let rows = 0
    async function* counted() {
      for await (const part of lines()) {
        rows += part.split('\n').length - 1
        yield part
      }
    }
    const digest = await zip.add(tableEntry(name), counted(), true)
    written.push({ name, rows, lastId, ...digest })
  }
  return written
}

async function writeFiles({ config }: Source, names: AsyncIterable<string>, zip: Zip): Promise<Manifest['files']> {
  const store = openFiles(config)
  const list: string[] = []
  const files = { count: 0, missing: 0, total: 0 }
  const note = (line: Listed) => list.push(`${JSON.stringify(line)}\n`)
  for await (const name of linesIn(names)) {
    const file = await store.get(name)
    if (file) {
      const digest = await zip.add(fileEntry(name), once(await file.bytes()), false)
      note({ name, ...digest })
      files.count += 1
      files.total += digest.bytes
    } else {
      note({ name, missing: true })
      files.missing += 1
    }
  }
  const digest: Digest = await zip.add(LIST, each(list), true)
  return { ...files, ...digest }
}

async function* once<T>(chunk: T) {
  yield chunk
}

async function* each<T>(chunks: T[]) {
  yield* chunks
}
