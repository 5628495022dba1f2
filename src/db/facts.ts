import { sql } from 'drizzle-orm'
import type { Db } from './database'
import { markOf } from './installation'

export type DatabaseFacts = {
  version: string
  hasTrigrams: boolean
  hasOperator: boolean
  now: number
  /** The embedded one copies a table to take out of the files what was deleted. */
  largestTable: { name: string; bytes: number }
  /** Names the installation, and says nothing else of it. */
  mark: string
}

const SIZES = sql`(
  select relid::regclass::text as name, pg_total_relation_size(relid)::float8 as bytes from pg_stat_user_tables
  where schemaname = 'public' order by 2 desc limit 1
) as largest`

export async function largestTable(db: Db): Promise<DatabaseFacts['largestTable']> {
  const [row] = await db.select({ name: sql<string>`largest.name`, bytes: sql<number>`largest.bytes` }).from(SIZES)
  if (!row) throw new Error('the database has no table')
  return row
}

/** What the database says of itself. */
export async function databaseFacts(db: Db): Promise<DatabaseFacts> {
  const [row] = await db
    .select({
      version: sql<string>`current_setting('server_version')`,
      hasTrigrams: sql<boolean>`exists (select from pg_extension where extname = 'pg_trgm')`,
      hasOperator: sql<boolean>`exists (select from users where operator and disabled_at is null)`,
      now: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::float8`,
    })
    .from(sql`(select) as nothing`)
  if (!row) throw new Error('the database says nothing of itself')
  return { ...row, largestTable: await largestTable(db), mark: await markOf(db) }
}
