import { sql } from 'drizzle-orm'
import type { Db } from './database'
import { installation } from './schema'

/** What tells this database from others whose limits are on the same Redis; made by the first process that asks. */
export const installationId = async (db: Db): Promise<string> => (await readId(db)) ?? makeId(db)

async function readId(db: Db): Promise<string | undefined> {
  const [row] = await db.select().from(installation).orderBy(installation.id).limit(1)
  return row?.id
}

const makeId = (db: Db): Promise<string> =>
  db.transaction(async (transaction) => {
    // Of processes that start at once one makes it, and the others find it.
    await transaction.execute(sql`lock table ${installation} in exclusive mode`)
    const made = (await readId(transaction)) ?? (await transaction.insert(installation).values({}).returning())[0]?.id
    if (!made) throw new Error('the installation was not named')
    return made
  })

/** Tells installations apart in public, where their ids are nobody's business. */
export async function markOf(db: Db): Promise<string> {
  return new Bun.CryptoHasher('sha256')
    .update(await installationId(db))
    .digest('hex')
    .slice(0, 16)
}
