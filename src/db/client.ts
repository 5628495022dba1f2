import { SQL } from 'bun'
import { drizzle } from 'drizzle-orm/bun-sql'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { migrateServer } from './migrate'
import * as schema from './schema'

/** Either database, or a transaction on it. */
export type Db = PgDatabase<PgQueryResultHKT, typeof schema>

export type Database = { db: Db; close(): Promise<void> }

/** Opens the database that the configuration names and brings it to the newest schema. Throws DataDirectoryInUse, ConfigError. */
export async function openDatabase(config: { databaseUrl?: string | undefined; dataDir: string }): Promise<Database> {
  if (config.databaseUrl) return openServer(config.databaseUrl)
  // Loaded only where it serves: beside a Postgres server it would be memory for nothing.
  const { openEmbedded } = await import('./embedded')
  return openEmbedded(config.dataDir)
}

/**
 * Bun's own client: it prepares what Drizzle sends, and it outlives its connections, where postgres.js (3.4.9) throws
 * beyond anyone's reach when a server ends them under load, and takes the process with it.
 */
async function openServer(url: string): Promise<Database> {
  await migrateServer(url)
  const client = new SQL(url)
  return {
    db: drizzle(client, { schema, casing: 'snake_case' }),
    close: () => client.close({ timeout: 5 }),
  }
}
