import { Entry, openPromise, type ZipFile } from 'yauzl'
import { collectGarbage } from '../../server/memory'
import { ArchiveFailed } from '../schema'
import { type Digest, FILE_NAME, LIST, MANIFEST } from './manifest'
import { digesting } from './zip'

/** More than any of wrk's files: it is held in memory. */
const FILE_MAX_BYTES = 64 * 2 ** 20
const FILES = /^files\//
const NAME_SHOWN = 100
/** Of an entry's extra fields and comment: those that programs write tell times and owners. */
const BESIDE_MAX_BYTES = 512
const COLLECT_EVERY = 1_000

export type Opened = Awaited<ReturnType<typeof openZip>>
/** `called` is its name in refusals. Entries of files are kept in memory where they are `byName`, up to so many. */
type Opening = { called: string; byName?: number }

/** Throws ArchiveFailed where it is no ZIP, or has what no archive has. */
export async function openZip(path: string, { called, byName }: Opening) {
  const parts = await named(path, called, byName)
  const part = (name: string): Entry => {
    const found = parts.get(name)
    if (!found) throw new ArchiveFailed(`${called} is no archive of wrk: it has no ${name}`)
    return found
  }
  const zip = await open(path, called)
  return {
    called,
    size: (name: string) => part(name).uncompressedSize,
    content: (name: string) => contentOf(called, zip, part(name)),
    /** Ends with a refusal where it was not what the manifest says. */
    read: (name: string, expected: Digest) => checked(called, zip, part(name), expected),
    fileCount: [...parts.keys()].filter((name) => FILES.test(name)).length,
    files: () => filesIn(path, called),
    close: () => zip.close(),
  }
}

async function open(path: string, called: string): Promise<ZipFile> {
  return openPromise(path, { autoClose: false }).catch(noArchive(called))
}

const noArchive = (called: string) => (error: Error) => {
  throw error instanceof ArchiveFailed ? error : new ArchiveFailed(`${called} cannot be read as an archive: ${reasonIn(error)}`)
}

/** The library means its own reader by it. */
const reasonIn = ({ message }: Error) => (/end of central directory/i.test(message) ? 'it is cut off, or no ZIP file' : message)

/** Undefined for files that are not kept by their names. */
async function named(path: string, called: string, byName?: number): Promise<Map<string, Entry | undefined>> {
  const found = new Map<string, Entry | undefined>()
  for await (const entry of entriesOf(path, called, byName)) {
    const { fileName } = entry
    if (found.size % COLLECT_EVERY === 0) collectGarbage()
    if (entry.extraFieldLength + entry.fileCommentLength > BESIDE_MAX_BYTES)
      throw new ArchiveFailed(`${called} has more beside ${JSON.stringify(fileName.slice(0, NAME_SHOWN))} than any archive has`)
    const isFile = FILES.test(fileName) && FILE_NAME.test(fileName.slice('files/'.length))
    const isPart = fileName === MANIFEST || fileName === LIST || /^tables\/[a-z_]+\.ndjson$/i.test(fileName)
    if (!isFile && !isPart)
      throw new ArchiveFailed(`${called} has something that no archive has: ${JSON.stringify(fileName.slice(0, NAME_SHOWN))}`)
    if (found.has(fileName)) throw new ArchiveFailed(`${called} has ${fileName} twice`)
    found.set(fileName, isPart || byName !== undefined ? Object.assign(new Entry(), needed(entry)) : undefined)
  }
  return found
}

/** To read it, and nothing else: an entry's extra fields and comment may be 128 kB. */
const needed = ({
  fileName,
  generalPurposeBitFlag,
  compressionMethod,
  compressedSize,
  uncompressedSize,
  relativeOffsetOfLocalHeader,
}: Entry) => ({
  fileName,
  generalPurposeBitFlag,
  compressionMethod,
  compressedSize,
  uncompressedSize,
  relativeOffsetOfLocalHeader,
})

async function* entriesOf(path: string, called: string, atMost = Number.POSITIVE_INFINITY): AsyncGenerator<Entry> {
  const zip = await open(path, called)
  try {
    if (zip.entryCount > atMost) throw new ArchiveFailed(`${called} has more than ${atMost} entries`)
    yield* zip.eachEntry()
  } catch (error) {
    noArchive(called)(error as Error)
  } finally {
    zip.close()
  }
}

async function* contentOf(called: string, zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      collectGarbage()
      yield chunk
    }
  } catch (error) {
    noArchive(called)(error as Error)
  }
}

async function* checked(called: string, zip: ZipFile, entry: Entry, expected: Digest): AsyncGenerator<Uint8Array> {
  const { counted, digest } = digesting(contentOf(called, zip, entry))
  if (entry.uncompressedSize !== expected.bytes) throw damaged(called, entry.fileName)
  yield* counted
  if (digest().sha256 !== expected.sha256) throw damaged(called, entry.fileName)
}

export const damaged = (called: string, name: string) =>
  new ArchiveFailed(`${called} is damaged: ${name} is not what its manifest says`)

async function* filesIn(path: string, called: string): AsyncGenerator<{ name: string; bytes(): Promise<Uint8Array> }> {
  const zip = await open(path, called)
  try {
    for await (const entry of zip.eachEntry())
      if (FILES.test(entry.fileName))
        yield { name: entry.fileName.slice('files/'.length), bytes: () => whole(called, zip, entry) }
  } finally {
    zip.close()
  }
}

async function whole(called: string, zip: ZipFile, entry: Entry): Promise<Uint8Array> {
  if (entry.uncompressedSize > FILE_MAX_BYTES) throw damaged(called, entry.fileName)
  return Buffer.concat(await Array.fromAsync(contentOf(called, zip, entry)))
}
