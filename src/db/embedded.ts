import { fsyncSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import type { Database, Db } from './database'
import { lockDataDirectory } from './lock'
import { migrationsFolder } from './migrations'
import * as schema from './schema'
import { compilePostgres } from './wasm'

/** Postgres in this process, its files under `dataDir`. Throws DataDirectoryInUse. */
export async function openEmbedded(dataDir: string): Promise<Database> {
  const lock = lockDataDirectory(dataDir)
  try {
    const client = await PGlite.create({ ...durable(dataDir), pgliteWasmModule: await compilePostgres() })
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
  await migrate(db, { migrationsFolder })
  return { db }
}

/** What was acknowledged survives a power cut: PGlite starts Postgres with -F (no fsync), and its files ignore sync calls. */
export const durable = (dataDir: string): PGliteOptions => ({
  fs: new DurableFS(join(dataDir, 'postgres')),
  startParams: [
    ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
    '-c',
    'wal_sync_method=fsync',
    // The operating system keeps these files in memory too. Postgres' 128 MB would take 100 MB of this process, and a
    // seventh of a second to lay out at each start.
    '-c',
    'shared_buffers=16MB',
  ],
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
