import { fsyncSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import type { Database, Db } from './database'
import { lockDataDirectory } from './lock'
import { migrationsFolder } from './migrations'
import { compilePostgres } from './pgliteWasm'
import * as schema from './schema'
import { letOthersIn } from './turns'

/** Runs Postgres in this process, with its files under `dataDir`. Throws DataDirectoryInUse. */
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

export async function embedded(client: PGlite): Promise<{ db: Db }> {
  letOthersIn(client)
  const db = drizzle(client, { schema, casing: 'snake_case' })
  await migrate(db, { migrationsFolder })
  return { db }
}

/** PGlite runs Postgres with -F (no fsync) and its files ignore syncs; undone here, so that commits survive a power cut. */
export const durable = (dataDir: string): PGliteOptions => ({
  fs: new DurableFS(join(dataDir, 'postgres')),
  startParams: [
    ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
    '-c',
    'wal_sync_method=fsync',
    // The operating system caches these files too; Postgres' 128 MB would cost 100 MB and a seventh of a second per start.
    '-c',
    'shared_buffers=16MB',
  ],
})

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
