import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { isKnownMigration } from '../../db/migrations'
import { ArchiveFailed } from '../schema'
import { type Digest, FILE_NAME, FORMAT, LIST, MANIFEST, type Manifest, manifest, tableEntry } from './manifest'
import { digesting } from './zip'

const MANIFEST_MAX_BYTES = 2 ** 20
/** More than any of wrk's files: it is held in memory. */
const FILE_MAX_BYTES = 64 * 2 ** 20
const FILES = /^files\//

export type Archive = Awaited<ReturnType<typeof openArchive>>

/** Throws ArchiveFailed where it is none, or one that this wrk does not understand. */
export async function openArchive(path: string) {
  const parts = await named(path)
  const part = (name: string): Entry => {
    const found = parts.get(name)
    if (!found) throw new ArchiveFailed(`${path} is no archive of wrk: it has no ${name}`)
    return found
  }
  const zip = await open(path)
  const read = (name: string, expected: Digest) => checked(path, zip, part(name), expected)
  const known = await readHead(path, zip, part(MANIFEST))
  return {
    manifest: known,
    table: (name: string) => read(tableEntry(name), tableOf(known, name)),
    list: () => read(LIST, known.files),
    files: () => filesIn(path),
    close: () => zip.close(),
  }
}

export async function readManifest(path: string): Promise<Manifest> {
  const archive = await openArchive(path)
  archive.close()
  return archive.manifest
}

function tableOf({ tables }: Manifest, name: string): Digest {
  const found = tables.find((table) => table.name === name)
  if (!found) throw new Error(`no table ${name}`)
  return found
}

const open = (path: string): Promise<ZipFile> => openPromise(path, { autoClose: false }).catch(noArchive(path))

const noArchive = (path: string) => (error: Error) => {
  throw error instanceof ArchiveFailed ? error : new ArchiveFailed(`${path} cannot be read as an archive: ${error.message}`)
}

/** All but the files; refuses what no backup writes. */
async function named(path: string): Promise<Map<string, Entry>> {
  const found = new Map<string, Entry>()
  const names = new Set<string>()
  for await (const entry of entriesOf(path)) {
    const { fileName } = entry
    const isFile = FILES.test(fileName) && FILE_NAME.test(fileName.slice('files/'.length))
    const isPart = fileName === MANIFEST || fileName === LIST || /^tables\/[a-z_]+\.ndjson$/.test(fileName)
    if (!isFile && !isPart) throw new ArchiveFailed(`${path} has something that no backup writes: ${JSON.stringify(fileName)}`)
    if (names.has(fileName)) throw new ArchiveFailed(`${path} has ${fileName} twice`)
    names.add(fileName)
    if (isPart) found.set(fileName, entry)
  }
  return found
}

async function* entriesOf(path: string): AsyncGenerator<Entry> {
  const zip = await open(path)
  try {
    yield* zip.eachEntry()
  } catch (error) {
    noArchive(path)(error as Error)
  } finally {
    zip.close()
  }
}

async function readHead(path: string, zip: ZipFile, entry: Entry): Promise<Manifest> {
  if (entry.uncompressedSize > MANIFEST_MAX_BYTES) throw new ArchiveFailed(`the manifest of ${path} is too large to be one`)
  const text = (await Array.fromAsync(contentOf(path, zip, entry))).join('')
  const json = jsonIn(text)
  if (typeof json.format === 'number' && json.format > FORMAT) throw newer(path, json.wrk)
  const parsed = manifest.safeParse(json)
  if (!parsed.success) throw new ArchiveFailed(`the manifest of ${path} is not one: ${parsed.error.issues[0]?.message}`)
  if (!isKnownMigration(parsed.data.migration)) throw newer(path, parsed.data.wrk)
  return parsed.data
}

function jsonIn(text: string): { format?: unknown; wrk?: unknown } {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

const newer = (path: string, version: unknown) =>
  new ArchiveFailed(
    `${path} was made by a newer version of wrk, ${JSON.stringify(version)}: restore it with that one, or a later one`,
  )

async function* contentOf(path: string, zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  try {
    yield* await zip.openReadStreamPromise(entry)
  } catch (error) {
    noArchive(path)(error as Error)
  }
}

/** Ends with a refusal where it was not what the manifest says. */
async function* checked(path: string, zip: ZipFile, entry: Entry, expected: Digest): AsyncGenerator<Uint8Array> {
  const { counted, digest } = digesting(contentOf(path, zip, entry))
  if (entry.uncompressedSize !== expected.bytes) throw damaged(path, entry.fileName)
  yield* counted
  if (digest().sha256 !== expected.sha256) throw damaged(path, entry.fileName)
}

export const damaged = (path: string, name: string) =>
  new ArchiveFailed(`${path} is damaged: ${name} is not what its manifest says`)

async function* filesIn(path: string): AsyncGenerator<{ name: string; bytes(): Promise<Uint8Array> }> {
  const zip = await open(path)
  try {
    for await (const entry of zip.eachEntry())
      if (FILES.test(entry.fileName)) yield { name: entry.fileName.slice('files/'.length), bytes: () => whole(path, zip, entry) }
  } finally {
    zip.close()
  }
}

async function whole(path: string, zip: ZipFile, entry: Entry): Promise<Uint8Array> {
  if (entry.uncompressedSize > FILE_MAX_BYTES) throw damaged(path, entry.fileName)
  return Buffer.concat(await Array.fromAsync(contentOf(path, zip, entry)))
}
