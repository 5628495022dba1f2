import { SQL } from 'bun'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sql'
import { ConfigError } from '../config'
import { CannotOpen, type Database, type MigrationState } from './database'
import { messageOf } from './failures'
import { migrationsFolder, needsMigration } from './migrations'
import { createPool } from './pool'

/** Throws ConfigError, CannotOpen. */
export async function openServer(url: string, size: number, schema: MigrationState): Promise<Database> {
  const pool = createPool(url, size)
  try {
    await pool.db.execute(sql`select 1`).catch(unreachable)
    if (await needsMigration(pool.db, schema)) await migrateServer(url)
  } catch (error) {
    await pool.close(0)
    throw error
  }
  return { url, db: pool.db, pool: pool.use, close: () => pool.close(CLOSE_SECONDS) }
}

const CLOSE_SECONDS = 5

/** One connection for work that may take hours; the server lists it under `name`. */
export function openAlone(url: string, name: string): Database {
  const connection = { application_name: name, statement_timeout: '0', idle_in_transaction_session_timeout: '0' }
  const client = new SQL(url, { max: 1, idleTimeout: 0, connection })
  return { url, db: drizzle({ client, casing: 'snake_case' }), close: () => client.close({ timeout: 0 }) }
}

/** Any number, the same in every wrk process. */
export const MIGRATION_LOCK = 7_217_001

/** Processes that start at the same time migrate one after another. */
async function migrateServer(url: string): Promise<void> {
  const { migrate } = await import('drizzle-orm/bun-sql/migrator')
  const client = new SQL(url, { max: 1 })
  try {
    await client`select pg_advisory_lock(${MIGRATION_LOCK})`
    const db = drizzle(client, { casing: 'snake_case' })
    if (!(await needsMigration(db))) return
    await client`create extension if not exists pg_trgm`.catch(lacksTrigrams)
    await migrate(db, { migrationsFolder })
  } finally {
    await client.close()
  }
}

function unreachable(error: Error): never {
  throw new ConfigError(`DATABASE_URL names a database that cannot be reached: ${messageOf(error)}`)
}

function lacksTrigrams(error: Error): never {
  throw new CannotOpen(
    `search needs the Postgres extension pg_trgm, which could not be created: ${error.message}. ` +
      'It comes with Postgres (on some systems in the package postgresql-contrib); have an administrator run, on this database: ' +
      'create extension pg_trgm',
  )
}
