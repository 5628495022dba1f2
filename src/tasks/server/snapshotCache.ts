import type { BoardGrant } from '../../boards/server/grants'
import type { Db } from '../../db/database'
import { notFound } from '../../server/errors'
import type { Hub } from '../../server/live/hub'
import { createChangedTasks } from './snapshot/changedTasks'
import { gzipOf, type Joined, join, joinMany, type Segment, smallSegment, toSegment } from './snapshot/gzip'
import { bytesOf, forgetLines, type Piece, toLine, toPieces, withChanged } from './snapshot/pieces'
import { type Head, readChanged, readSnapshot } from './snapshot/store'

const CACHE_MAX_BYTES = 32 * 2 ** 20
const MOST_TRIES = 3

export type CachedSnapshot = {
  version: number
  etag: string
  gzip: Uint8Array<ArrayBuffer>[]
  pieces: Piece[]
  /** The pieces and the end, joined as in `gzip`. */
  tasks: Joined[]
  /** What `gzip` consists of. */
  segments: Segment[]
  members: Segment
} & Head

declare module '../../server/context' {
  interface Services {
    snapshots: ReturnType<typeof createSnapshotCache>
  }
}

/** Once the line was lost, the database may be another, whose versions stand for something else: after a failover, or from a copy. */
export function createSnapshotCache(hub: Pick<Hub, 'listen'>) {
  let kept = createKept()
  hub.listen(
    (message) => kept.hear(message),
    () => {
      kept = createKept()
    },
  )

  /** Throws NOT_FOUND to whoever was removed since the grant, of a board that has changed since. */
  return async function read(db: Db, grant: BoardGrant<'read'>): Promise<CachedSnapshot> {
    const snapshot = await kept.find(db, grant)
    const isNewer = snapshot.version > grant.board.version
    if (isNewer && !snapshot.board.members.some(({ id }) => id === grant.viewer.id)) throw notFound('Board not found')
    return snapshot
  }
}

/**
 * Snapshots hold names and avatars, so whatever changes these must raise the version of every board of the user. After changes
 * of single tasks that were heard of, only those are read that were not announced whole, and the pieces that hold any are made anew.
 */
function createKept() {
  const cache = new Map<number, CachedSnapshot>()
  const building = new Map<number, Promise<CachedSnapshot>>()
  const changedTasks = createChangedTasks()
  let bytes = 0

  function add(boardId: number, snapshot: CachedSnapshot) {
    remove(boardId)
    cache.set(boardId, snapshot)
    changedTasks.follow(boardId, snapshot.version)
    bytes += sizeOf(snapshot)
    for (const older of cache.values()) {
      if (bytes <= CACHE_MAX_BYTES) return
      bytes -= sizeOf(older)
      forgetLines(older.pieces)
      bytes += sizeOf(older)
    }
    for (const oldest of cache.keys()) {
      if (bytes <= CACHE_MAX_BYTES) return
      remove(oldest)
      changedTasks.forget(oldest)
    }
  }

  function remove(boardId: number) {
    const cached = cache.get(boardId)
    if (cached) bytes -= sizeOf(cached)
    cache.delete(boardId)
  }

  /** Undefined where not all that changed is known, or the board changes faster than it is read. */
  async function update(db: Db, grant: BoardGrant<'read'>): Promise<CachedSnapshot | undefined> {
    const before = cache.get(grant.board.id)
    let { version } = grant.board
    for (let tries = 0; before && tries < MOST_TRIES; tries++) {
      const changed = changedTasks.between(grant.board.id, before.version, version)
      if (!changed) return undefined
      const { lines, unread } = changed
      const read = unread.length > 0 ? await readChanged(db, grant, unread) : { version, tasks: [], timers: [] }
      if (read.version === version) {
        const ids = new Set([...unread, ...lines.map(({ id }) => id)])
        const pieces = await withChanged(before.pieces, ids, [...lines, ...read.tasks.map(toLine)])
        const others = before.timers.filter(({ taskId }) => !unread.includes(taskId))
        const timers = [...others, ...read.timers].toSorted((a, b) => a.entryId - b.entryId)
        return toSnapshot({ ...before, board: { ...before.board, version }, timers }, pieces, before.tasks)
      }
      version = read.version
    }
    return undefined
  }

  async function buildSnapshot(db: Db, grant: BoardGrant<'read'>): Promise<CachedSnapshot> {
    const boardId = grant.board.id
    changedTasks.follow(boardId)
    const snapshot = (await update(db, grant)) ?? (await readWhole(db, grant))
    add(boardId, snapshot)
    return snapshot
  }

  async function find(db: Db, grant: BoardGrant<'read'>): Promise<CachedSnapshot> {
    const { id, version } = grant.board
    const cached = cache.get(id)
    if (cached && cached.version >= version) {
      // Moved to the end, as eviction starts at the front.
      cache.delete(id)
      cache.set(id, cached)
      return cached
    }
    // One build per board at a time, even if the one under way is of an older version.
    for (let pending = building.get(id); pending; pending = building.get(id)) {
      const built = await pending.catch(() => null)
      if (built && built.version >= version) return built
    }
    const build = buildSnapshot(db, grant).finally(() => {
      building.delete(id)
      if (!cache.has(id)) changedTasks.forget(id)
    })
    building.set(id, build)
    return build
  }

  return { hear: changedTasks.hear, find }
}

/** The last of `tasks` is in `gzip` as a copy. */
const sizeOf = ({ gzip, tasks, pieces, members }: CachedSnapshot) =>
  [...gzip, ...tasks.slice(-1).map(({ deflated }) => deflated)].reduce(
    (sum, { byteLength }) => sum + byteLength,
    pieces.reduce((sum, piece) => sum + bytesOf(piece), members.length),
  )

const readWhole = (db: Db, grant: BoardGrant<'read'>): Promise<CachedSnapshot> =>
  readSnapshot(db, grant, async (head, batches) => {
    const members = await toSegment(JSON.stringify(head.board.members))
    const pieces: Piece[][] = []
    for await (const tasks of batches) pieces.push(await toPieces(tasks))
    return toSnapshot({ ...head, members }, pieces.flat())
  })

const COMMA = smallSegment(',')
const END = smallSegment(']}')

async function toSnapshot(
  { board, timers, members }: Head & { members: Segment },
  pieces: Piece[],
  before: Joined[] = [],
): Promise<CachedSnapshot> {
  const { members: _, ...others } = board
  const start = await toSegment(`{"board":${JSON.stringify(others).slice(0, -1)},"members":`)
  const middle = await toSegment(`},"timers":${JSON.stringify(timers)},"tasks":[`)
  // With the end, which would be a packet of its own.
  const separated = [...pieces.flatMap((piece, index) => (index === 0 ? [piece] : [COMMA, piece])), END]
  const tasks = joinMany(separated, before)
  const { parts: gzip, crc, length } = gzipOf([join([start, members, middle]), ...tasks])
  const segments = [start, members, middle, ...separated]
  // Of its content too, because a restored database may have other boards under the same ids and versions.
  const etag = `"${board.version}-${crc.toString(36)}-${length.toString(36)}"`
  return { version: board.version, etag, gzip, pieces, tasks, segments, members, board, timers }
}
