import { sql } from 'drizzle-orm'
import { DEFAULT_POOL } from '../config'
import type { Database, Schema } from './database'
import { FOR_OTHERS } from './ownerOnly'

/** Only the driver that serves is loaded; the other would cost memory. Throws CannotOpen, ConfigError. */
export async function openDatabase(config: Where, schema: Schema = 'migrated'): Promise<Database> {
  process.umask(FOR_OTHERS)
  const { databaseUrl, databasePool = DEFAULT_POOL, dataDir } = config
  if (databaseUrl) return (await import('./postgres')).openServer(databaseUrl, databasePool, schema)
  return (await import('./pglite')).openEmbedded(dataDir, schema)
}

type Where = { databaseUrl?: string | undefined; databasePool?: number; dataDir: string }

/** Resolves when the database answers this or anything else; rejects where it fails, or takes longer than `milliseconds`. */
export async function ping({ db, nextAnswer }: Database, milliseconds: number): Promise<void> {
  const late = Bun.sleep(milliseconds).then(() => Promise.reject(new Error(`no answer within ${milliseconds} ms`)))
  await Promise.race([nextAnswer?.() ?? late, db.execute(sql`select 1`), late])
}
