import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
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

async function openServer(url: string): Promise<Database> {
  await migrateServer(url)
  const client = postgres(url, { onnotice: () => {} })
  return {
    db: drizzle(preparing(client), { schema, casing: 'snake_case' }),
    close: () => client.end({ timeout: 5 }),
  }
}

/**
 * Has the server keep each statement that Drizzle sends: otherwise postgres.js has it parsed, described and planned
 * again every time, in two round trips instead of one.
 */
function preparing(client: postgres.Sql): postgres.Sql {
  const { begin } = client
  const transaction = (work: (on: postgres.TransactionSql) => unknown) => begin((on) => work(preparingOn(on)))
  return Object.assign(preparingOn(client), { begin: transaction })
}

function preparingOn<Client extends postgres.Sql | postgres.TransactionSql>(client: Client): Client {
  const { unsafe } = client
  const prepared: typeof unsafe = (text, params, options) => unsafe(text, params, { ...options, prepare: true })
  return Object.assign(client, { unsafe: prepared })
}
