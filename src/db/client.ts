import { fsyncSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { drizzle as drizzlePostgres } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { lockDataDirectory } from './lock'
import { migrateEmbedded, migrateServer } from './migrate'
import * as schema from './schema'

/** Either database, or a transaction on it. */
export type Db = PgDatabase<PgQueryResultHKT, typeof schema>

export type Database = { db: Db; close(): Promise<void> }

/** Opens the database that the configuration names and brings it to the newest schema. Throws DataDirectoryInUse. */
export const openDatabase = (config: { databaseUrl?: string | undefined; dataDir: string }): Promise<Database> =>
  config.databaseUrl ? openServer(config.databaseUrl) : openEmbedded(config.dataDir)

async function openServer(url: string): Promise<Database> {
  await migrateServer(url)
  const client = postgres(url, { onnotice: () => {} })
  return {
    db: drizzlePostgres(client, { schema, casing: 'snake_case' }),
    close: () => client.end({ timeout: 5 }),
  }
}

async function openEmbedded(dataDir: string): Promise<Database> {
  const lock = lockDataDirectory(dataDir)
  try {
    const client = await PGlite.create({ fs: new DurableFS(join(dataDir, 'postgres')), startParams: DURABLE })
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
  const db = drizzlePglite(client, { schema, casing: 'snake_case' })
  await migrateEmbedded(db)
  return { db }
}

// PGlite starts Postgres with -F (no fsync), and its file system ignores sync calls even without it.
const DURABLE = [...PGlite.defaultStartParams.filter((param) => param !== '-F'), '-c', 'wal_sync_method=fsync']

/** PGlite's files, with a sync that reaches the disk: what was acknowledged survives a power cut. */
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
