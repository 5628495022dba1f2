import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { type BoardGrant, grantBoardReading } from '../../boards/server/grants'
import type { Db } from '../../db/database'
import type { ServerMessage } from '../../protocol'
import { createUserQueues } from '../../server/concurrency'
import type { Services } from '../../server/context'
import { notFound } from '../../server/errors'
import type { Hub } from '../../server/live/hub'
import type { SignedIn } from '../../server/signedIn'
import { byPlace, STATUSES } from '../limits'
import type { BoardTask, Snapshot } from '../schema'
import { type BoardRead, type Line, readBoardWhole, readChanged, toLine } from './boardTasks.store'

const CACHE_MAX_BYTES = 32 * 2 ** 20
/** After more changes than this since it was read, a board is read whole. */
const CHANGES_MAX = 500
const TRIES_MAX = 3
const GZIP_LEVEL = 5

export type CachedSnapshot = BoardRead & { version: number; etag: string; gzip: Uint8Array<ArrayBuffer>; bytes: number }

declare module '../../server/context' {
  interface Services {
    snapshots: ReturnType<typeof createSnapshotCache>
  }
}

export function createSnapshotCache(hub: Pick<Hub, 'listen'>) {
  let cache = createCache()
  hub.listen(
    (message) => cache.hear(message),
    // After a lost connection the database may be another, with other boards under the same versions.
    () => {
      cache = createCache()
    },
  )

  /** Throws NOT_FOUND if the viewer was removed since the grant. */
  return async function read(db: Db, grant: BoardGrant<'read'>): Promise<CachedSnapshot> {
    const snapshot = await cache.find(db, grant)
    const isNewer = snapshot.version > grant.board.version
    if (isNewer && !snapshot.board.members.some(({ id }) => id === grant.viewer.id)) throw notFound('Board not found')
    return snapshot
  }
}

/** One per board, of the last requested version. It holds names and avatars, so their changes must raise the version. */
function createCache() {
  const snapshots = new LRUCache<number, CachedSnapshot>({
    maxSize: CACHE_MAX_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
    dispose: (_, boardId, reason) => {
      if (reason === 'evict') changes.delete(boardId)
    },
  })
  const building = new Map<number, Promise<CachedSnapshot>>()
  /** By board and version: the task that changed, or null for anything else. */
  const changes = new Map<number, Map<number, number | null>>()

  function hear({ payload }: ServerMessage) {
    if (!('by' in payload)) return
    const ofBoard = changes.get(payload.boardId)
    if (ofBoard && ofBoard.size < CHANGES_MAX) ofBoard.set(payload.version, changedTask(payload))
  }

  /** Undefined unless all changes between the versions are known and of tasks. */
  function changedBetween(boardId: number, from: number, to: number): Set<number> | undefined {
    const ids = new Set<number>()
    for (let version = from + 1; version <= to; version++) {
      const id = changes.get(boardId)?.get(version)
      if (id === undefined || id === null) return undefined
      ids.add(id)
    }
    return ids
  }

  /** Undefined if more than tasks changed, or the board changes faster than it is read. */
  async function update(db: Db, grant: BoardGrant<'read'>, before: CachedSnapshot): Promise<CachedSnapshot | undefined> {
    let { version } = grant.board
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const ids = changedBetween(grant.board.id, before.version, version)
      if (!ids) return undefined
      const read = await readChanged(db, grant, [...ids])
      if (read.version === version) {
        const lines = [...before.lines.filter(({ id }) => !ids.has(id)), ...read.tasks.map(toLine)].toSorted(byPlace)
        const others = before.timers.filter(({ taskId }) => !ids.has(taskId))
        const timers = [...others, ...read.timers].toSorted((a, b) => a.entryId - b.entryId)
        return toSnapshot({ board: { ...before.board, version }, timers, lines })
      }
      version = read.version
    }
    return undefined
  }

  async function build(db: Db, grant: BoardGrant<'read'>): Promise<CachedSnapshot> {
    const boardId = grant.board.id
    const before = snapshots.get(boardId)
    const heard = changes.get(boardId) ?? new Map<number, number | null>()
    changes.set(boardId, heard)
    const snapshot = (before && (await update(db, grant, before))) ?? (await toSnapshot(await readBoardWhole(db, grant)))
    snapshots.set(boardId, snapshot)
    for (const version of heard.keys()) if (version <= snapshot.version) heard.delete(version)
    return snapshot
  }

  async function find(db: Db, grant: BoardGrant<'read'>): Promise<CachedSnapshot> {
    const { id, version } = grant.board
    const cached = snapshots.get(id)
    if (cached && cached.version >= version) return cached
    // One build of a board at a time, even if it is of an older version.
    for (let pending = building.get(id); pending; pending = building.get(id)) {
      const built = await pending.catch(() => null)
      if (built && built.version >= version) return built
    }
    const built = build(db, grant).finally(() => {
      building.delete(id)
      if (!snapshots.has(id)) changes.delete(id)
    })
    building.set(id, built)
    return built
  }

  return { hear, find }
}

function changedTask(payload: ServerMessage['payload']): number | null {
  if ('task' in payload) return payload.task.id
  return 'taskId' in payload ? payload.taskId : null
}

const compress = promisify(gzip)

async function toSnapshot({ board, timers, lines }: BoardRead): Promise<CachedSnapshot> {
  const { members, ...others } = board
  const head = JSON.stringify({ board: { ...others, members }, timers }).slice(0, -1)
  const text = `${head},"tasks":[${lines.map(({ json }) => json).join()}]}`
  const zipped = await compress(text, { level: GZIP_LEVEL })
  // Hashes the content too: a restored database may have other boards under the same ids and versions.
  const etag = `"${board.version}-${Bun.hash(text).toString(36)}"`
  return { version: board.version, etag, gzip: zipped, bytes: Buffer.byteLength(text) + zipped.byteLength, board, timers, lines }
}

const enqueue = createUserQueues(4)

type OpenSnapshot = { grant: BoardGrant<'read'>; snapshot: CachedSnapshot }

export const openSnapshot = ({ db, snapshots }: Services, viewer: SignedIn, boardId: number): Promise<OpenSnapshot> =>
  enqueue(viewer.id, async () => {
    const grant = await grantBoardReading(db, viewer, boardId)
    return { grant, snapshot: await snapshots(db, grant) }
  })

/** As many as a column shows without scrolling. */
const FIRST_TASKS = 8

export function firstTasksOf({ board, timers, lines }: Pick<CachedSnapshot, 'board' | 'timers' | 'lines'>): Snapshot {
  const first = STATUSES.flatMap((status) => lines.filter((line) => line.status === status).slice(0, FIRST_TASKS))
  return { board, timers, tasks: first.map(({ json }: Line): BoardTask => JSON.parse(json)) }
}
