import type { BoardGrant } from '../../boards/server/grants'
import type { Db } from '../../db/database'
import type { Hub } from '../../server/live/hub'
import { joinSegments, toSegment } from './snapshot/gzip'
import { createHeard } from './snapshot/heard'
import { type Piece, toPieces, withChanged } from './snapshot/pieces'
import { readSnapshot, type Snapshots } from './snapshot/store'

const CACHE_MAX_BYTES = 32 * 2 ** 20

export type CachedSnapshot = { version: number; etag: string; gzip: Uint8Array<ArrayBuffer>; pieces: Piece[] }

declare module '../../server/context' {
  interface Services {
    snapshots: ReturnType<typeof createSnapshotCache>
  }
}

/**
 * Snapshots hold names and avatars, so whatever changes these must raise the version of every board of the user. After changes
 * of single tasks that were heard of, only these are read, and the pieces that hold them are made anew.
 */
export function createSnapshotCache(hub: Pick<Hub, 'listen'>) {
  const cache = new Map<number, CachedSnapshot>()
  const building = new Map<number, Promise<CachedSnapshot>>()
  const heard = createHeard()
  let bytes = 0
  hub.listen(heard.note)

  function add(boardId: number, snapshot: CachedSnapshot) {
    remove(boardId)
    cache.set(boardId, snapshot)
    heard.follow(boardId, snapshot.version)
    bytes += sizeOf(snapshot)
    for (const oldest of cache.keys()) {
      if (bytes <= CACHE_MAX_BYTES) break
      remove(oldest)
      heard.forget(oldest)
    }
  }

  function remove(boardId: number) {
    const cached = cache.get(boardId)
    if (cached) bytes -= sizeOf(cached)
    cache.delete(boardId)
  }

  async function piecesNow(boardId: number, version: number, { allTasks, tasksById }: Snapshots): Promise<Piece[]> {
    const before = cache.get(boardId)
    const changed = before && heard.between(boardId, before.version, version)
    if (before && changed) return withChanged(before.pieces, changed, await tasksById([...changed]))
    const pieces: Piece[][] = []
    for await (const tasks of allTasks()) pieces.push(await toPieces(tasks))
    return pieces.flat()
  }

  async function buildSnapshot(db: Db, grant: BoardGrant<'read'>): Promise<CachedSnapshot> {
    const boardId = grant.board.id
    heard.follow(boardId)
    const made = await readSnapshot(db, grant, async (snapshots) => {
      const { board, timers } = snapshots.head
      const pieces = await piecesNow(boardId, board.version, snapshots)
      return { head: { board, timers }, pieces }
    })
    const snapshot = await joined(made.head, made.pieces)
    add(boardId, snapshot)
    return snapshot
  }

  return async function read(db: Db, grant: BoardGrant<'read'>): Promise<CachedSnapshot> {
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
      if (!cache.has(id)) heard.forget(id)
    })
    building.set(id, build)
    return build
  }
}

const sizeOf = ({ gzip, pieces }: CachedSnapshot) =>
  pieces.reduce((sum, { deflated }) => sum + deflated.byteLength, gzip.byteLength)

const COMMA = await toSegment(',')
const END = await toSegment(']}')

async function joined(head: Snapshots['head'], pieces: Piece[]): Promise<CachedSnapshot> {
  const { board, timers } = head
  const start = await toSegment(`{"board":${JSON.stringify(board)},"timers":${JSON.stringify(timers)},"tasks":[`)
  const separated = pieces.flatMap((piece, index) => (index === 0 ? [piece] : [COMMA, piece]))
  const { gzip, crc, length } = joinSegments([start, ...separated, END])
  // Of its content too, because a restored database may have other boards under the same ids and versions.
  return { version: board.version, etag: `"${board.version}-${crc.toString(36)}-${length.toString(36)}"`, gzip, pieces }
}
