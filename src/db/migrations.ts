import { join } from 'node:path'
import { type SQL, sql } from 'drizzle-orm'
import { bigint, pgSchema } from 'drizzle-orm/pg-core'
import journal from '../../drizzle/meta/_journal.json'
import { version } from '../../package.json'
import { CannotOpen, type Db, type MigrationState } from './database'

export const migrationsFolder = join(import.meta.dir, '../../drizzle')

const applied = pgSchema('drizzle').table('__drizzle_migrations', { when: bigint('created_at', { mode: 'number' }).notNull() })

const known = new Set(journal.entries.map(({ when }) => when))

/** The time that names it. */
export const newestMigration = Math.max(...known)
export const isKnownMigration = (when: number): boolean => known.has(when)

/** Whether migrations are to be applied; none is ever reverted. Throws CannotOpen if unknown ones were applied. */
export async function needsMigration(db: Db, schema: MigrationState = 'migrated'): Promise<boolean> {
  if (schema === 'untouched') return false
  const whens = await appliedMigrations(db)
  const unknown = whens.findLast((when) => !known.has(when))
  if (unknown) throw new CannotOpen(changedByAnother(new Date(unknown)))
  const isNewest = whens.at(-1) === newestMigration
  if (!isNewest && schema === 'as it is') throw new CannotOpen(whens.length === 0 ? NOT_STARTED : OLDER)
  return !isNewest
}

const BEING_RESTORED = 'a restore is running, or was interrupted: wait for it to finish, or run it again (wrk restore FILE)'
const NOT_STARTED = 'there is no wrk data yet: start wrk first'
const OLDER = `the database belongs to an older version of wrk: start wrk ${version} once to upgrade it, or use the command of that version`

async function appliedMigrations(db: Db): Promise<number[]> {
  const exists = sql<boolean>`to_regclass('drizzle.__drizzle_migrations') is not null`
  const isBeingRestored = sql<boolean>`to_regnamespace('wrk_restore') is not null`
  const [found] = await db.select({ exists, isBeingRestored }).from(sql`(select) as nothing`)
  if (found?.isBeingRestored) throw new CannotOpen(BEING_RESTORED)
  if (!found?.exists) return []
  const rows = await db.select().from(applied).orderBy(applied.when)
  return rows.map(({ when }) => when)
}

const changedByAnother = (when: Date) =>
  `the database was changed by another version of wrk, most likely a newer one: this one, ${version}, does not know its ` +
  `migration of ${when.toISOString()}. Start that version, or restore a backup from before it`

/** Applies those after `after` (null: from the first) up to `to`, in a transaction. */
export async function migrateBetween(run: (statement: SQL) => Promise<unknown>, after: number | null, to: number): Promise<void> {
  // Loaded only here, because it brings in node:crypto.
  const { readMigrationFiles } = await import('drizzle-orm/migrator')
  const steps = readMigrationFiles({ migrationsFolder }).filter(({ folderMillis: when }) => when > (after ?? 0) && when <= to)
  await run(sql`create schema if not exists drizzle`)
  await run(
    sql`create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`,
  )
  for (const { sql: statements, hash, folderMillis } of steps) {
    for (const statement of statements) await run(sql.raw(statement))
    await run(sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`)
  }
}
