import { sql } from 'drizzle-orm'
import type { Db } from './database'
import { markOf } from './installation'

export type DatabaseFacts = {
  version: string
  hasTrigrams: boolean
  now: number
  /** Names the installation, and says nothing else of it. */
  mark: string
}

/** What the database says of itself. */
export async function databaseFacts(db: Db): Promise<DatabaseFacts> {
  const [row] = await db
    .select({
      version: sql<string>`current_setting('server_version')`,
      hasTrigrams: sql<boolean>`exists (select from pg_extension where extname = 'pg_trgm')`,
      now: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::float8`,
    })
    .from(sql`(select) as nothing`)
  if (!row) throw new Error('the database says nothing of itself')
  return { ...row, mark: await markOf(db) }
}
