import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { BoardGrant } from '../../boards/server/grants'
import type { Db } from '../../db/database'
import { jsonChunks } from '../../server/jsonStream'
import { readSnapshot } from './snapshot/store'

/** Runs in another thread, because compressing is most of the work. */
const compress = promisify(gzip)

const CACHE_MAX_BYTES = 32 * 2 ** 20

export type CachedSnapshot = { version: number; etag: string; gzip: Uint8Array<ArrayBuffer> }

declare module '../../server/context' {
  interface Services {
    snapshots: ReturnType<typeof createSnapshotCache>
  }
}

/** Snapshots hold names and avatars, so whatever changes these must raise the version of every board of the user. */
export function createSnapshotCache() {
  const cache = new Map<number, CachedSnapshot>()
  const building = new Map<number, Promise<CachedSnapshot>>()
  let bytes = 0

  function add(boardId: number, snapshot: CachedSnapshot) {
    evict(boardId)
    cache.set(boardId, snapshot)
    bytes += snapshot.gzip.byteLength
    for (const oldest of cache.keys()) {
      if (bytes <= CACHE_MAX_BYTES) break
      evict(oldest)
    }
  }

  function evict(boardId: number) {
    bytes -= cache.get(boardId)?.gzip.byteLength ?? 0
    cache.delete(boardId)
  }

  async function buildSnapshot(db: Db, grant: BoardGrant<'read'>) {
    const { version, json } = await readSnapshot(db, grant, async ({ board, timers }, tasks) => {
      const chunks = [`{"board":${JSON.stringify(board)},"timers":${JSON.stringify(timers)},"tasks":`]
      for await (const chunk of jsonChunks(tasks)) chunks.push(chunk)
      return { version: board.version, json: Buffer.concat([...chunks, '}'].map((chunk) => Buffer.from(chunk))) }
    })
    // Hashed, because a restored database may have other boards under the same ids and versions.
    const etag = `"${version}-${Bun.hash(json).toString(36)}"`
    const snapshot = { version, etag, gzip: new Uint8Array(await compress(json, { level: 5 })) }
    add(grant.board.id, snapshot)
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
    const build = buildSnapshot(db, grant).finally(() => building.delete(id))
    building.set(id, build)
    return build
  }
}
