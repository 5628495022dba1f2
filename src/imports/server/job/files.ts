import type { BoardRow } from '../../../archive/boardRows'
import {
  BOARD_FILES_MAX_BYTES,
  FILE_MAX_BYTES,
  TASK_FILES_MAX,
  THUMBNAIL_MAX_BYTES,
  THUMBNAIL_TYPE,
} from '../../../attachments/schema'
import { thumbnailOf } from '../../../attachments/server/lookup'
import { detectMimeType } from '../../../attachments/server/mimeType'
import { thumbnailFrom } from '../../../attachments/server/thumbnail'
import type { Db } from '../../../db/database'
import { attachments } from '../../../db/schema'
import type { Services } from '../../../server/context'
import { NoRoom, Refusal } from '../../../server/errors'
import { claimFiles } from '../../../server/files/store'
import { storeFiles } from '../../../server/files/upload'
import { ignored, type Note } from '../fit/cut'
import { fittingAttachment, NOT_ACCEPTED } from '../fit/others'
import { FILES_BEYOND, FILES_TOO_LARGE } from '../lossKinds'
import type { BoardArchive } from '../preview'
import { type Filling, known } from './filling'

type Row = BoardRow<'attachments'>
type Commit = (work: (db: Db) => Promise<unknown>) => Promise<void>
type Context = { services: Services; archive: BoardArchive; filling: Filling; note: Note }

const FETCH_MS = 15_000
/** Together, as others' imports wait. */
const FETCH_ALL_MS = 600_000
/** In a row: the server that has them answers nobody. */
const FAILED_MAX = 20
const UNREACHABLE = 'files that could not be fetched: left out'
const NO_ROOM = 'files for which this server has no room: left out'

/** One at a time, for each is held in memory; what fails is a loss, and not the import's end. */
export function createFileImport({ services, archive, filling, note }: Context) {
  const counts = new Map<number, number>()
  let bytesOfBoard = 0
  let failed = 0
  let fetchMs = 0

  async function bytesOf({ file, url }: Row): Promise<Uint8Array | undefined> {
    if (file !== null) return (await archive.file(file)) ?? undefined
    if (url === null || failed >= FAILED_MAX || fetchMs > FETCH_ALL_MS) return undefined
    const began = Date.now()
    const found = await services.fetchOutside(url, { maxBytes: FILE_MAX_BYTES, timeoutMs: FETCH_MS }).catch(asMissing)
    fetchMs += Date.now() - began
    const isThere = found?.status === 200
    failed = isThere ? 0 : failed + 1
    return isThere ? found.bytes : undefined
  }

  async function read(row: Row) {
    const given = await bytesOf(row)
    if (!given) return UNREACHABLE
    const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
    if (bytes.length > FILE_MAX_BYTES) return FILES_TOO_LARGE
    const type = bytes.length > 0 ? await detectMimeType(bytes, row.name) : undefined
    if (!type) return NOT_ACCEPTED
    const isSmall = row.thumbnail !== null && (archive.size(row.thumbnail) ?? 0) <= THUMBNAIL_MAX_BYTES
    const small = row.thumbnail !== null && isSmall ? await archive.file(row.thumbnail) : null
    return { bytes, type, thumbnail: await thumbnailFrom(small ? Buffer.from(small) : undefined, type) }
  }

  async function add(given: Row, commit: Commit) {
    const row = fittingAttachment(given, given.file === null ? null : archive.size(given.file), ignored)
    const [own] = row ? known(filling, [row]) : []
    if (!row || !own) return
    const count = (counts.get(own.taskId) ?? 0) + 1
    const isFull = (size: number) => count > TASK_FILES_MAX || bytesOfBoard + size > BOARD_FILES_MAX_BYTES
    if (isFull(1)) return note(FILES_BEYOND, row.name)
    const found = await read(row)
    if (typeof found === 'string') return note(found, row.name)
    const { bytes, type, thumbnail } = found
    const size = bytes.length + (thumbnail?.length ?? 0)
    if (isFull(size)) return note(FILES_BEYOND, row.name)
    const filename = crypto.randomUUID()
    const small = thumbnail ? [{ filename: thumbnailOf(filename), bytes: thumbnail, type: THUMBNAIL_TYPE }] : []
    const all = [{ filename, bytes, type }, ...small]
    const sizes = { fileSize: bytes.length, thumbnailSize: thumbnail?.length ?? null }
    const facts = { filename, originalFilename: row.name, mimeType: type, fileUrl: `/uploads/${filename}`, ...sizes }
    await storeFiles(services, all, () =>
      commit(async (db) => {
        const names = all.map((file) => file.filename)
        await claimFiles(db, names)
        const createdAt = filling.past(row.createdAt)
        await db.insert(attachments).values({ ...facts, taskId: own.taskId, userId: own.userId, createdAt })
      }),
    )
    counts.set(own.taskId, count)
    bytesOfBoard += size
  }

  return (row: Row, commit: Commit) =>
    add(row, commit).catch((error: unknown) => {
      if (!(error instanceof NoRoom)) throw error
      note(NO_ROOM, row.name)
    })
}

function asMissing(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error
}
