import type { Database } from '../../db/database'
import { noteFiles } from '../../db/refill'
import type { FileStore } from '../../server/files/storage'
import { ArchiveFailed } from '../schema'
import { linesIn } from './lines'
import { listedIn } from './list'
import { LIST, type Listed } from './manifest'
import type { Archive } from './opened'
import { damaged } from './unzip'

type Known = { name: string; bytes?: Uint8Array; isNew: boolean }

const FILES_AT_ONCE = 8
const BYTES_AT_ONCE = 64 * 2 ** 20

/** Those that the store has already stay, as where only the database is another. Throws ArchiveFailed. */
export async function restoreFiles(path: string, archive: Archive, database: Database, store: FileStore): Promise<void> {
  let batch: Known[] = []
  let size = 0
  async function flush() {
    await noteFiles(database, batch)
    for (const { name, bytes, isNew } of batch) if (bytes && isNew) await store.put(name, bytes, 'application/octet-stream')
    batch = []
    size = 0
  }
  for await (const known of knownFiles(path, archive, store)) {
    size += known.bytes?.length ?? 0
    if (batch.push(known) === FILES_AT_ONCE || size >= BYTES_AT_ONCE) await flush()
  }
  await flush()
}

/** The list and the files are in one order. */
async function* knownFiles(path: string, archive: Archive, store: FileStore): AsyncGenerator<Known> {
  const files = archive.files()
  const names = new Set<string>()
  // What there was room for.
  let left = archive.manifest.files.total
  for await (const line of linesIn(archive.list())) {
    const one = listedIn(path, line)
    if (names.has(one.name)) throw damaged(path, LIST)
    names.add(one.name)
    if ('missing' in one) {
      yield { name: one.name, isNew: false }
      continue
    }
    left -= one.bytes
    if (left < 0) throw damaged(path, LIST)
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
  throw new ArchiveFailed(`there is another file ${name} in the store already: the archive's would write over it`)
}

const hashOf = (bytes: Uint8Array): string => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
