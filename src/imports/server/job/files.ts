import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BoardRow } from '../../../archive/schema'
import {
  type AcceptedFiles,
  BOARD_FILES_MAX_BYTES,
  TASK_FILES_MAX,
  THUMBNAIL_MAX_BYTES,
  THUMBNAIL_TYPE,
} from '../../../attachments/schema'
import { detectMimeType, thumbnailFrom } from '../../../attachments/server/fileContent'
import { thumbnailOf } from '../../../attachments/server/lookup'
import type { Db } from '../../../db/database'
import { attachments } from '../../../db/tables'
import { createUserQueues } from '../../../server/concurrency'
import type { Services } from '../../../server/context'
import { AccountFull, NoRoom, Refusal } from '../../../server/errors'
import { claimFiles } from '../../../server/files/store'
import { storeFiles } from '../../../server/files/upload'
import type { Note } from '../fitToLimits'
import type { BoardArchive } from '../preview'
import { writeTo } from '../tempFiles'
import { type Filling, withNewIds } from './boardRows'

type Row = BoardRow<'attachments'>
type Commit = (work: (db: Db) => Promise<unknown>) => Promise<void>
type Context = { services: Services; importerId: number; past: Filling['past']; note: Note }
export type Placed = { row: Row; taskId: number; userId: number }
type Given = { bytes: Uint8Array; thumbnail?: Uint8Array | null }
/** Undefined if the file cannot be fetched; else a function that reads it into memory. */
export type Find = (row: Row) => Promise<(() => Promise<Given>) | undefined>

const FETCH_MS = 15_000
const FETCH_ALL_MS = 600_000
/** After this many requests in a row without an answer, a host counts as down. */
const UNANSWERED_MAX = 20

/** Shared by all imports: each file is held in memory and may take 64 MiB. */
const enqueue = createUserQueues(1)

/** Adds one file at a time; a failure is noted as a loss and does not end the import. */
export function createFileImport({ services, importerId, past, note }: Context) {
  const counts = new Map<number, number>()
  let bytesOfBoard = 0

  async function add({ row, taskId, userId }: Placed, find: Find, commit: Commit) {
    const count = (counts.get(taskId) ?? 0) + 1
    const isFull = (size: number) => count > TASK_FILES_MAX || bytesOfBoard + size > BOARD_FILES_MAX_BYTES
    if (isFull(1)) return note('filesFull', row.name)
    const read = await find(row)
    if (!read) return note('fileNotFetched', row.name)
    await enqueue('files', async () => {
      const found = await accepted(row, await read(), services.config.attachments)
      if (typeof found === 'string') return note(found, row.name)
      const size = found.bytes.length + (found.thumbnail?.length ?? 0)
      if (isFull(size)) return note('filesFull', row.name)
      await store({ row, taskId, userId }, found, commit)
      counts.set(taskId, count)
      bytesOfBoard += size
    })
  }

  async function store({ row, taskId, userId }: Placed, { bytes, type, thumbnail }: Accepted, commit: Commit) {
    const filename = crypto.randomUUID()
    const small = thumbnail ? [{ filename: thumbnailOf(filename), bytes: thumbnail, type: THUMBNAIL_TYPE }] : []
    const all = [{ filename, bytes, type }, ...small]
    const sizes = { fileSize: bytes.length, thumbnailSize: thumbnail?.length ?? null }
    const facts = { filename, originalFilename: row.name, mimeType: type, fileUrl: `/uploads/${filename}`, ...sizes }
    await storeFiles(services, importerId, all, () =>
      commit(async (db) => {
        const names = all.map((file) => file.filename)
        await claimFiles(db, names)
        await db.insert(attachments).values({ ...facts, taskId, userId, createdAt: past(row.createdAt) })
      }),
    )
  }

  return (placed: Placed, find: Find, commit: Commit) =>
    add(placed, find, commit).catch((error: unknown) => {
      if (!(error instanceof NoRoom) || error instanceof AccountFull) throw error
      note('fileWithoutRoom', placed.row.name)
    })
}

type Accepted = Exclude<Awaited<ReturnType<typeof accepted>>, string>

async function accepted(row: Row, given: Given, files: AcceptedFiles) {
  const bytes = asBuffer(given.bytes)
  if (bytes.length > files.maxBytes) return 'fileTooLarge'
  const type = bytes.length > 0 ? await detectMimeType(bytes, row.name, files) : undefined
  if (!type) return 'fileNotAccepted'
  return { bytes, type, thumbnail: await thumbnailFrom(given.thumbnail ? asBuffer(given.thumbnail) : undefined, type) }
}

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength)

export const isRemote = ({ file, url }: Row): boolean => file === null && url !== null

export function placeAttachment(filling: Filling, archive: Pick<BoardArchive, 'size'>, given: Row): Placed | undefined {
  const row = filling.fit.attachments(given, given.file === null ? null : archive.size(given.file))
  return row ? withNewIds(filling, [row])[0] : undefined
}

export const readFromArchive =
  (archive: Pick<BoardArchive, 'size' | 'file'>): Find =>
  async ({ file, thumbnail }) => {
    if (file === null || archive.size(file) === null) return undefined
    const isSmall = thumbnail !== null && (archive.size(thumbnail) ?? 0) <= THUMBNAIL_MAX_BYTES
    return async () => ({
      bytes: (await archive.file(file)) ?? new Uint8Array(),
      thumbnail: isSmall ? await archive.file(thumbnail) : null,
    })
  }

/** Fetches into the folder first, so that slow servers take no memory. */
export function fetchFromUrl(services: Services, folder: string): Find {
  const unanswered = new Map<string, number>()
  let fetchMs = 0
  let nth = 0

  async function fetched(url: string, path: string) {
    let isAnswered = false
    const save = (chunks: AsyncIterable<Uint8Array>) => {
      isAnswered = true
      return writeTo(services, path, chunks)
    }
    const found = await services
      .fetchOutside(url, { maxBytes: services.config.attachments.maxBytes, timeoutMs: FETCH_MS, save })
      .catch(asMissing)
    return { isThere: found?.status === 200, isAnswered: isAnswered || found !== undefined }
  }

  return async ({ url }) => {
    const host = hostOf(url)
    const before = unanswered.get(host) ?? 0
    if (url === null || before >= UNANSWERED_MAX || fetchMs > FETCH_ALL_MS) return undefined
    const began = Date.now()
    const path = join(folder, `file-${nth++}`)
    const { isThere, isAnswered } = await fetched(url, path)
    fetchMs += Date.now() - began
    unanswered.set(host, isAnswered ? 0 : before + 1)
    if (!isThere) return void (await rm(path, { force: true }))
    return async () => {
      const bytes = await Bun.file(path).bytes()
      await rm(path, { force: true })
      return { bytes }
    }
  }
}

const hostOf = (url: string | null): string => (url !== null && URL.canParse(url) ? new URL(url).host : '')

function asMissing(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error
}
