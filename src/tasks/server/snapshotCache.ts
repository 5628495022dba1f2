import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { BoardGrant } from '../../boards/server/grants'
import type { Db } from '../../db/client'
import { jsonChunks } from '../../server/jsonStream'
import { readSnapshot } from './snapshot/store'

/** In another thread: compressing is most of the work. */
const compressed = promisify(gzip)

/** How many bytes of boards are kept, compressed. */
const KEPT_BYTES = 32 * 2 ** 20

/** A board with its tasks as bytes: the JSON of `Snapshot` in boards/inputs.ts, gzipped. */
export type StoredSnapshot = { version: number; etag: string; gzip: Uint8Array<ArrayBuffer> }

declare module '../../server/context' {
  interface Services {
    snapshots: ReturnType<typeof createSnapshotCache>
  }
}

/**
 * Boards as they are sent, kept under their version. What is sent is the same for every member, so only the
 * session, the membership and the version are asked of the database each time. Its members' names and avatars are
 * in it: whatever changes these must raise the version of each board that the person is on.
 */
export function createSnapshotCache() {
  const kept = new Map<number, StoredSnapshot>()
  const building = new Map<number, Promise<StoredSnapshot>>()
  let bytes = 0

  function keep(boardId: number, made: StoredSnapshot) {
    drop(boardId)
    kept.set(boardId, made)
    bytes += made.gzip.byteLength
    for (const oldest of kept.keys()) {
      if (bytes <= KEPT_BYTES) break
      drop(oldest)
    }
  }

  function drop(boardId: number) {
    bytes -= kept.get(boardId)?.gzip.byteLength ?? 0
    kept.delete(boardId)
  }

  async function build(db: Db, grant: BoardGrant<'read'>) {
    const { version, json } = await readSnapshot(db, grant, async (board, tasks) => {
      const pieces = [`{"board":${JSON.stringify(board)},"tasks":`]
      for await (const piece of jsonChunks(tasks)) pieces.push(piece)
      return { version: board.version, json: Buffer.concat([...pieces, '}'].map((piece) => Buffer.from(piece))) }
    })
    // Another database, or one restored from a copy, holds other boards under the same ids and versions.
    const etag = `"${version}-${Bun.hash(json).toString(36)}"`
    const made = { version, etag, gzip: new Uint8Array(await compressed(json, { level: 5 })) }
    keep(grant.board.id, made)
    return made
  }

  /** The board at the version that the grant saw, or a later one. */
  return async function read(db: Db, grant: BoardGrant<'read'>): Promise<StoredSnapshot> {
    const { id, version } = grant.board
    const found = kept.get(id)
    if (found && found.version >= version) {
      kept.delete(id)
      kept.set(id, found)
      return found
    }
    // One build of a board at a time; one that began before this version was there is waited for, then comes the next.
    for (let underWay = building.get(id); underWay; underWay = building.get(id)) {
      const made = await underWay.catch(() => null)
      if (made && made.version >= version) return made
    }
    const work = build(db, grant).finally(() => building.delete(id))
    building.set(id, work)
    return work
  }
}
