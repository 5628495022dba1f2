import { sql } from 'drizzle-orm'
import type { Db } from './database'
import { installation } from './tables'

/** Tells this database from others that share its Redis; made by the first process that asks. */
export const installationId = async (db: Db): Promise<string> => (await readRow(db))?.id ?? (await db.transaction(ensureRow)).id

/** Signs cookies; made in the transaction that first needs it. Not in backups. */
export const installationSecret = async (transaction: Db): Promise<string> => (await ensureRow(transaction)).secret

/** Undefined if nothing has been signed yet. */
export const findInstallationSecret = async (db: Db): Promise<string | undefined> => (await readRow(db))?.secret

/** Gives every account Pro, or only those that pay or were given it. */
export async function setPlans(db: Db, hasPlans: boolean): Promise<void> {
  const known = (await readRow(db)) ?? (await db.transaction(ensureRow))
  if (known.hasPlans !== hasPlans) await db.update(installation).set({ hasPlans })
}

async function readRow(db: Db): Promise<typeof installation.$inferSelect | undefined> {
  const [row] = await db.select().from(installation).orderBy(installation.id).limit(1)
  return row
}

async function ensureRow(transaction: Db) {
  const known = await readRow(transaction)
  if (known) return known
  // If processes start at once, one makes it and the others find it.
  await transaction.execute(sql`lock table ${installation} in exclusive mode`)
  const made = (await readRow(transaction)) ?? (await transaction.insert(installation).values({}).returning())[0]
  if (!made) throw new Error('the installation was not named')
  return made
}

/** Tells installations apart in public, without revealing their ids. */
export const markOf = async (db: Db): Promise<string> => Bun.SHA256.hash(await installationId(db), 'hex').slice(0, 16)

export type DatabaseFacts = {
  version: string
  hasTrigrams: boolean
  hasOperator: boolean
  now: number
  /** The embedded database copies a table to remove deleted rows from its files. */
  largestTable: { name: string; bytes: number }
  /** Names the installation and reveals nothing else about it. */
  mark: string
}

const SIZES = sql`(
  select relid::regclass::text as name, pg_total_relation_size(relid)::float8 as bytes from pg_stat_user_tables
  where schemaname = 'public' order by 2 desc limit 1
) as largest`

export async function largestTable(db: Db): Promise<DatabaseFacts['largestTable']> {
  const [row] = await db.select({ name: sql<string>`largest.name`, bytes: sql<number>`largest.bytes` }).from(SIZES)
  if (!row) throw new Error('the database has no tables')
  return row
}

export async function databaseFacts(db: Db): Promise<DatabaseFacts> {
  const [row] = await db
    .select({
      version: sql<string>`current_setting('server_version')`,
      hasTrigrams: sql<boolean>`exists (select from pg_extension where extname = 'pg_trgm')`,
      hasOperator: sql<boolean>`exists (select from users where operator and disabled_at is null)`,
      now: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::float8`,
    })
    .from(sql`(select) as nothing`)
  if (!row) throw new Error('the database did not answer about itself')
  return { ...row, largestTable: await largestTable(db), mark: await markOf(db) }
}
