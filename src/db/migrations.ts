import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { bigint, pgSchema } from 'drizzle-orm/pg-core'
import journal from '../../drizzle/meta/_journal.json'
import { version } from '../../package.json'
import { CannotOpen, type Db, type Schema } from './database'

export const migrationsFolder = join(import.meta.dir, '../../drizzle')

const applied = pgSchema('drizzle').table('__drizzle_migrations', { when: bigint('created_at', { mode: 'number' }).notNull() })

const known = new Set(journal.entries.map(({ when }) => when))

const newest = Math.max(...known)

/** Whether all migrations were applied; nobody takes one back. Throws CannotOpen where there are others, or must not be any more. */
export async function isMigrated(db: Db, schema: Schema = 'migrated'): Promise<boolean> {
  const whens = await appliedMigrations(db)
  const unknown = whens.findLast((when) => !known.has(when))
  if (unknown) throw new CannotOpen(changedByAnother(new Date(unknown)))
  const isNewest = whens.at(-1) === newest
  if (!isNewest && schema === 'as it is') throw new CannotOpen(whens.length === 0 ? NOT_STARTED : OLDER)
  return isNewest
}

const NOT_STARTED = 'there is no data of wrk yet: start it first'
const OLDER = `the database is still of an older version than this wrk, ${version}: start this one first, or use that version's command`

async function appliedMigrations(db: Db): Promise<number[]> {
  const exists = sql<boolean>`to_regclass('drizzle.__drizzle_migrations') is not null`
  const [table] = await db.select({ exists }).from(sql`(select) as nothing`)
  if (!table?.exists) return []
  const rows = await db.select().from(applied).orderBy(applied.when)
  return rows.map(({ when }) => when)
}

const changedByAnother = (when: Date) =>
  `the database was changed by another version of wrk, most likely a newer one: this one, ${version}, does not know its ` +
  `migration of ${when.toISOString()}. Start that version, or restore a backup from before it`
