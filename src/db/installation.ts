import { sql } from 'drizzle-orm'
import type { Db } from './database'
import { installation } from './tables'

/** What tells this database from others whose limits are on the same Redis; made by the first process that asks. */
export const installationId = async (db: Db): Promise<string> => (await readRow(db))?.id ?? (await db.transaction(ownRow)).id

/** Signs what browsers keep; made within the transaction that first needs it. No backup has it. */
export const installationSecret = async (transaction: Db): Promise<string> => (await ownRow(transaction)).secret

/** Undefined where nothing was signed yet. */
export const findInstallationSecret = async (db: Db): Promise<string | undefined> => (await readRow(db))?.secret

/** Has every account have Pro, or only those that pay or were given it. */
export async function setPlans(db: Db, hasPlans: boolean): Promise<void> {
  const known = (await readRow(db)) ?? (await db.transaction(ownRow))
  if (known.hasPlans !== hasPlans) await db.update(installation).set({ hasPlans })
}

async function readRow(db: Db): Promise<typeof installation.$inferSelect | undefined> {
  const [row] = await db.select().from(installation).orderBy(installation.id).limit(1)
  return row
}

async function ownRow(transaction: Db) {
  const known = await readRow(transaction)
  if (known) return known
  // Of processes that start at once one makes it, and the others find it.
  await transaction.execute(sql`lock table ${installation} in exclusive mode`)
  const made = (await readRow(transaction)) ?? (await transaction.insert(installation).values({}).returning())[0]
  if (!made) throw new Error('the installation was not named')
  return made
}

/** Tells installations apart in public, where their ids are nobody's business. */
export async function markOf(db: Db): Promise<string> {
  return new Bun.CryptoHasher('sha256')
    .update(await installationId(db))
    .digest('hex')
    .slice(0, 16)
}
