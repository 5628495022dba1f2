import { Entry, openPromise, type ZipFile } from 'yauzl'
import { z } from 'zod'
import { collectGarbage } from '../../server/memoryBudget'
import { ArchiveFailed } from '../schema'
import { type Digest, FILE_NAME, FORMAT, jsonIn, LIST, MANIFEST } from './archiveFormat'
import { digesting } from './writeArchive'

/** Files are held in memory; wrk's are smaller. */
const FILE_MAX_BYTES = 64 * 2 ** 20
const FILES = /^files\//
const NAME_SHOWN = 100
/** For an entry's extra fields and comment, which programs fill with times and owners. */
const BESIDE_MAX_BYTES = 512
const COLLECT_EVERY = 1_000

export type Opened = Awaited<ReturnType<typeof openZip>>
/** `called` names it in refusals. `byName` is how many file entries are kept in memory. */
type Opening = { called: string; byName?: number }

/** Throws ArchiveFailed if it is no ZIP or has foreign entries. */
export async function openZip(path: string, { called, byName }: Opening) {
  const parts = await named(path, called, byName)
  const part = (name: string): Entry => {
    const found = parts.get(name)
    if (!found) throw new ArchiveFailed(`${called} is not a wrk archive: it has no ${name}`)
    return found
  }
  const zip = await open(path, called)
  return {
    called,
    has: (name: string) => parts.has(name),
    size: (name: string) => part(name).uncompressedSize,
    content: (name: string) => contentOf(called, zip, part(name)),
    /** Throws at the end if it was not what the manifest says. */
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

/** The library's message would describe its own reader. */
const reasonIn = ({ message }: Error) =>
  /end of central directory/i.test(message) ? 'it is incomplete or not a ZIP file' : message

async function named(path: string, called: string, byName?: number): Promise<Map<string, Entry | undefined>> {
  const found = new Map<string, Entry | undefined>()
  for await (const entry of entriesOf(path, called, byName)) {
    const { fileName } = entry
    if (found.size % COLLECT_EVERY === 0) collectGarbage()
    if (entry.extraFieldLength + entry.fileCommentLength > BESIDE_MAX_BYTES)
      throw new ArchiveFailed(
        `${called} is not a valid archive: the entry ${JSON.stringify(fileName.slice(0, NAME_SHOWN))} has too much extra data`,
      )
    const isFile = FILES.test(fileName) && FILE_NAME.test(fileName.slice('files/'.length))
    const isPart = fileName === MANIFEST || fileName === LIST || /^tables\/[a-z_]+\.ndjson$/i.test(fileName)
    if (!isFile && !isPart)
      throw new ArchiveFailed(`${called} has an unexpected entry: ${JSON.stringify(fileName.slice(0, NAME_SHOWN))}`)
    if (found.has(fileName)) throw new ArchiveFailed(`${called} has ${fileName} twice`)
    found.set(fileName, isPart || byName !== undefined ? Object.assign(new Entry(), needed(entry)) : undefined)
  }
  return found
}

/** Only what reading needs: extra fields and comment may take 128 kB. */
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
  new ArchiveFailed(`${called} is damaged: ${name} does not match its manifest`)

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

/** Manifests without a kind are of installations. */
const KINDS = { installation: 'an installation', board: 'a board', account: 'one user’s data' }

type Kind = keyof typeof KINDS

const MANIFEST_MAX_BYTES = 2 ** 20

const VERSION_SHOWN = 20

const claimed = z.object({ format: z.unknown(), wrk: z.unknown(), kind: z.unknown() }).partial()

/** Throws ArchiveFailed if it is of another kind or newer than this version. */
export async function readHead<Shape extends z.ZodType>(zip: Opened, kind: Kind, shape: Shape): Promise<z.output<Shape>> {
  const { called } = zip
  if (zip.size(MANIFEST) > MANIFEST_MAX_BYTES) throw new ArchiveFailed(`${called} has a manifest that is too large`)
  const said = jsonIn(Buffer.concat(await Array.fromAsync(zip.content(MANIFEST))).toString())
  const json = claimed.safeParse(said).data ?? {}
  if (typeof json.format === 'number' && json.format > FORMAT) throw newer(called, json.wrk)
  const { kind: is = 'installation' } = json
  if (is !== kind) throw new ArchiveFailed(`${called} is an archive of ${nameOf(is)}, not of ${KINDS[kind]}`)
  const parsed = shape.safeParse(said)
  if (!parsed.success) throw new ArchiveFailed(`${called} has an invalid manifest: ${parsed.error.issues[0]?.message}`)
  return parsed.data
}

const nameOf = (kind: unknown) => Object.entries(KINDS).find(([known]) => known === kind)?.[1] ?? 'something else'

export const newer = (called: string, version: unknown) =>
  new ArchiveFailed(
    `${called} was made by a newer version of wrk, ${JSON.stringify(String(version).slice(0, VERSION_SHOWN))}: use that version or a later one`,
  )
