import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { bigint, pgSchema } from 'drizzle-orm/pg-core'
import journal from '../../drizzle/meta/_journal.json'
import { version } from '../../package.json'
import { CannotOpen, type Db } from './database'

export const migrationsFolder = join(import.meta.dir, '../../drizzle')

const applied = pgSchema('drizzle').table('__drizzle_migrations', { when: bigint('created_at', { mode: 'number' }).notNull() })

const known = new Set(journal.entries.map(({ when }) => when))

const newest = Math.max(...known)

/** Whether all migrations were applied; nobody takes one back. Throws CannotOpen where there are others. */
export async function isMigrated(db: Db): Promise<boolean> {
  const exists = sql<boolean>`to_regclass('drizzle.__drizzle_migrations') is not null`
  const [table] = await db.select({ exists }).from(sql`(select) as nothing`)
  if (!table?.exists) return false
  const rows = await db.select().from(applied).orderBy(applied.when)
  const unknown = rows.findLast(({ when }) => !known.has(when))
  if (unknown) throw new CannotOpen(changedByAnother(new Date(unknown.when)))
  return rows.at(-1)?.when === newest
}

const changedByAnother = (when: Date) =>
  `the database was changed by another version of wrk, most likely a newer one: this one, ${version}, does not know its ` +
  `migration of ${when.toISOString()}. Start that version, or restore a backup from before it`
