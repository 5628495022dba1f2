import { join } from 'node:path'
import { SQL } from 'bun'
import { drizzle } from 'drizzle-orm/bun-sql'
import { migrate as migrateWithServer } from 'drizzle-orm/bun-sql/migrator'
import type { PgliteDatabase } from 'drizzle-orm/pglite'
import { migrate as migrateWithPglite } from 'drizzle-orm/pglite/migrator'
import { ConfigError } from '../config'
import type * as schema from './schema'

const migrationsFolder = join(import.meta.dir, '../../drizzle')

/** Any number, the same in every wrk process. */
const MIGRATION_LOCK = 7_217_001

/** Brings a Postgres server to the newest schema; processes that start at once take turns. Throws ConfigError. */
export async function migrateServer(url: string): Promise<void> {
  const client = new SQL(url, { max: 1 })
  try {
    await client`select 1`.catch(unreachable)
    await client`select pg_advisory_lock(${MIGRATION_LOCK})`
    await migrateWithServer(drizzle(client), { migrationsFolder })
  } finally {
    await client.close()
  }
}

function unreachable(error: Error): never {
  throw new ConfigError(`DATABASE_URL names a database that cannot be reached: ${error.message}`)
}

export const migrateEmbedded = (db: PgliteDatabase<typeof schema>): Promise<void> => migrateWithPglite(db, { migrationsFolder })
