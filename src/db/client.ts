import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type * as schema from './schema'

export type Db = PgDatabase<PgQueryResultHKT, typeof schema>

export type Database = { db: Db; close(): Promise<void> }

/** Only the driver that serves is loaded; the other would cost memory. Throws DataDirectoryInUse, ConfigError. */
export async function openDatabase(config: { databaseUrl?: string | undefined; dataDir: string }): Promise<Database> {
  if (config.databaseUrl) return (await import('./postgres')).openServer(config.databaseUrl)
  return (await import('./embedded')).openEmbedded(config.dataDir)
}
