import { sql } from 'drizzle-orm'
import { DEFAULT_POOL } from '../config'
import { withTimeout } from '../promises'
import type { Database, MigrationState } from './database'
import { FOR_OTHERS } from './embeddedFolder'

/** Loads only the driver in use; the other would cost memory. Throws CannotOpen, ConfigError. */
export async function openDatabase(config: DatabasePlace, schema: MigrationState = 'migrated'): Promise<Database> {
  process.umask(FOR_OTHERS)
  const { databaseUrl, databasePool = DEFAULT_POOL, dataDir } = config
  if (databaseUrl) return (await import('./postgres')).openServer(databaseUrl, databasePool, schema)
  return (await import('./pglite')).openEmbedded(dataDir, schema)
}

export type DatabasePlace = { databaseUrl?: string | undefined; databasePool?: number; dataDir: string }

/** The embedded database does one thing at a time: a backup occupies it for a while. */
const EMBEDDED_TIMES_LONGER = 5

/** Rejects if the database fails or takes longer than `milliseconds` (embedded: five times that). */
export async function ping({ db, url }: Database, milliseconds: number): Promise<void> {
  const most = url ? milliseconds : EMBEDDED_TIMES_LONGER * milliseconds
  await withTimeout(most, db.execute(sql`select 1`), () => new Error(`no answer within ${most} ms`))
}
