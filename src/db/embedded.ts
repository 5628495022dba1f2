import { fsyncSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { drizzle } from 'drizzle-orm/pglite'
import type { Database, Db } from './client'
import { lockDataDirectory } from './lock'
import { migrateEmbedded } from './migrate'
import * as schema from './schema'

/** Postgres in this process, its files under `dataDir`. Throws DataDirectoryInUse. */
export async function openEmbedded(dataDir: string): Promise<Database> {
  const lock = lockDataDirectory(dataDir)
  try {
    const client = await PGlite.create(durable(dataDir))
    const { db } = await embedded(client)
    return {
      db,
      async close() {
        await client.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** A migrated Drizzle handle on a PGlite that the caller opened. */
export async function embedded(client: PGlite): Promise<{ db: Db }> {
  const db = drizzle(client, { schema, casing: 'snake_case' })
  await migrateEmbedded(db)
  return { db }
}

/** What was acknowledged survives a power cut: PGlite starts Postgres with -F (no fsync), and its files ignore sync calls. */
export const durable = (dataDir: string): PGliteOptions => ({
  fs: new DurableFS(join(dataDir, 'postgres')),
  startParams: [...PGlite.defaultStartParams.filter((param) => param !== '-F'), '-c', 'wal_sync_method=fsync'],
})

/** PGlite's files, with a sync that reaches the disk. */
class DurableFS extends NodeFS {
  override async init(...args: Parameters<NodeFS['init']>) {
    const { emscriptenOpts } = await super.init(...args)
    emscriptenOpts.preRun?.push((module: { NODEFS: { stream_ops: object } }) => {
      Object.assign(module.NODEFS.stream_ops, {
        fsync(stream: { nfd: number }) {
          fsyncSync(stream.nfd)
          return 0
        },
      })
    })
    return { emscriptenOpts }
  }
}
