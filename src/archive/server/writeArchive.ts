import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { ZipFile } from 'yazl'
import { version } from '../../../package.json'
import { ArchiveFailed, type BoardTable, type BoardTables, boardRows, type NewBoardRows } from '../schema'
import {
  type Digest,
  FORMAT,
  fileEntry,
  LIST,
  type Listed,
  MANIFEST,
  tableEntry,
  type WrittenFiles,
  type WrittenTable,
} from './archiveFormat'

/** Streams an archive of what `write` adds; `write` returns its manifest. */
export async function* streamArchive(write: (zip: Zip) => Promise<object>): AsyncGenerator<Uint8Array> {
  const zip = createZip()
  const written = write(zip)
    .then((manifest) => addManifest(zip, manifest))
    .then(zip.end)
  written.catch(zip.fail)
  try {
    yield* zip.output
    await written
  } finally {
    zip.fail(new Error('nothing is reading the archive any more'))
  }
}

function addManifest(zip: Zip, rest: object) {
  const head = { format: FORMAT, wrk: version, createdAt: new Date().toISOString() }
  return zip.add(MANIFEST, [JSON.stringify({ ...head, ...rest }, null, 2)], true)
}

export async function addTable(zip: Zip, name: string, parts: AsyncIterable<string>): Promise<WrittenTable> {
  let rows = 0
  async function* counted() {
    for await (const part of parts) {
      rows += part.split('\n').length - 1
      yield part
    }
  }
  const digest = await zip.add(tableEntry(name), counted(), true)
  return { name, rows, ...digest }
}

/** Adds the files and their list. Files that `get` does not find are noted as missing. */
export async function addFiles(
  zip: Zip,
  names: AsyncIterable<string> | Iterable<string>,
  get: (name: string) => Promise<Blob | null>,
): Promise<WrittenFiles> {
  const list: string[] = []
  const files = { count: 0, missing: 0, total: 0 }
  const note = (line: Listed) => list.push(`${JSON.stringify(line)}\n`)
  for await (const name of names) {
    const file = await get(name)
    if (file) {
      const digest = await zip.add(fileEntry(name), piecesOf(file), false)
      note({ name, ...digest })
      files.count += 1
      files.total += digest.bytes
    } else {
      note({ name, missing: true })
      files.missing += 1
    }
  }
  return { ...files, ...(await zip.add(LIST, list, true)) }
}

export const extensionOf = (name: string) => /\.(?!part$)\w{1,8}$/i.exec(name)?.[0].toLowerCase() ?? ''

const PIECE_BYTES = 2 ** 18

/** Yields in between: the checksum of a whole file takes 0.1 s. */
async function* piecesOf(file: Blob) {
  for (let at = 0; at < file.size; at += PIECE_BYTES) {
    yield await file.slice(at, at + PIECE_BYTES).bytes()
    await setImmediate()
  }
}

type Chunks = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>

export type Zip = ReturnType<typeof createZip>

export function createZip() {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => {})
  output.once('close', () => failed.reject(new Error('nothing is reading the archive any more')))
  zip.once('error', failed.reject)

  function add(name: string, chunks: Chunks, compress: boolean): Promise<Digest> {
    // The library keeps each entry, and its closure, to the end.
    let waiting: Chunks | undefined = chunks
    const written = new Promise<Digest>((resolve, reject) =>
      zip.addReadStreamLazy(name, { compress, mode: 0o100600 }, (take) => {
        if (waiting) take(null, streamOf(waiting, resolve, reject))
        waiting = undefined
      }),
    )
    return Promise.race([written, failed.promise])
  }

  return { output, add, end: () => zip.end(), fail: (error: Error) => output.destroy(error) }
}

function streamOf(chunks: Chunks, resolve: (digest: Digest) => void, reject: (error: Error) => void) {
  const { counted, digest } = digesting(chunks)
  const stream = Readable.from(counted, { objectMode: false })
  stream.once('end', () => resolve(digest()))
  stream.once('error', reject)
  return stream
}

export function digesting(chunks: Chunks) {
  const hash = new Bun.CryptoHasher('sha256')
  let bytes = 0
  async function* counted() {
    for await (const chunk of chunks) {
      const buffer = Buffer.from(chunk as Uint8Array)
      hash.update(buffer)
      bytes += buffer.length
      yield buffer
    }
  }
  return { counted: counted(), digest: (): Digest => ({ bytes, sha256: hash.digest('hex') }) }
}

const ROWS_AT_ONCE = 200
const LENGTH_AT_ONCE = 2 ** 18

/** Streams a board's archive (docs/archive.md). `file` is called for each file that the rows name. Throws ArchiveFailed. */
export const writeBoardArchive = (
  tables: BoardTables,
  file: (name: string) => Promise<Blob | null>,
): AsyncGenerator<Uint8Array> =>
  streamArchive(async (zip) => {
    const names = new Set<string>()
    const written = []
    for (const table of BOARD_TABLES) written.push(await addTable(zip, table, linesOf(table, tables[table], names)))
    return { kind: 'board', tables: written, files: await addFiles(zip, names, file) }
  })

export const BOARD_TABLES = Object.keys(boardRows) as BoardTable[]

async function* linesOf<Table extends BoardTable>(
  table: Table,
  rows: NewBoardRows<Table>,
  names: Set<string>,
): AsyncGenerator<string> {
  let lines: string[] = []
  let length = 0
  for await (const given of rows) {
    const row = boardRows[table].safeParse(given)
    if (!row.success) throw new ArchiveFailed(`a row of ${table} is invalid: ${row.error.issues[0]?.message}`)
    for (const name of filesOf(row.data)) names.add(name)
    const line = `${JSON.stringify(row.data)}\n`
    length += line.length
    if (lines.push(line) < ROWS_AT_ONCE && length < LENGTH_AT_ONCE) continue
    yield lines.join('')
    lines = []
    length = 0
  }
  yield lines.join('')
}

export const filesOf = (row: object): string[] =>
  'thumbnail' in row && 'file' in row ? [row.file, row.thumbnail].filter((name) => typeof name === 'string') : []

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Writes beside it first, so that it is never half there. Throws ArchiveFailed if it exists. */
export async function saveArchive(path: string, chunks: AsyncIterable<Uint8Array>, force = false): Promise<number> {
  const assertFree = async () => {
    if (!force && (await exists(path))) throw new ArchiveFailed(`${path} already exists: --force overwrites it`)
  }
  await assertFree()
  const unfinished = `${path}.${crypto.randomUUID()}.part`
  const file = await open(unfinished, 'wx', 0o600).catch(cannotWrite(path))
  try {
    const bytes = await writeAll(file, chunks).finally(() => file.close())
    await assertFree()
    await rename(unfinished, path)
    await sync(dirname(path))
    return bytes
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

const cannotWrite = (path: string) => (error: Error) => {
  throw new ArchiveFailed(`${path} cannot be written: ${error.message}`)
}

async function writeAll(file: FileHandle, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0
  for await (const chunk of chunks) {
    await file.writeFile(chunk)
    bytes += chunk.length
  }
  await file.sync()
  return bytes
}

async function sync(folder: string) {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}

const MIB = 2 ** 20

export const sizeText = (bytes: number): string => `${bytes < 10 * MIB ? (bytes / MIB).toFixed(1) : Math.round(bytes / MIB)} MB`
