import type { Db } from '../../src/db/database'
import { openDatabase } from '../../src/db/openDatabase'
import { scratchDatabase } from './databases'
import { putEmptyDatabase } from './emptyDatabase'
import { dataFolder } from './process'

export type On = 'embedded' | 'Postgres'
export type Place = Awaited<ReturnType<typeof placeOn>>

/** What processes are quicker with, where the database is not what a test is about. */
export const QUICKER: On = process.env.TEST_DATABASE_URL ? 'Postgres' : 'embedded'
export const EACH: On[] = QUICKER === 'embedded' ? ['embedded'] : ['embedded', 'Postgres']

/** A data folder and a database for processes of a test's own; its `env` names them. */
export async function placeOn(on: On) {
  const [folder, scratch] = await Promise.all([dataFolder(), on === 'Postgres' ? scratchDatabase() : undefined])
  if (!scratch) await putEmptyDatabase(folder.path)
  return {
    env: { DATA_DIR: folder.path, ...(scratch && { DATABASE_URL: scratch.url }) },
    /** Works on the database while no process has it. */
    async within<T>(work: (db: Db) => Promise<T>): Promise<T> {
      const database = await openDatabase({ databaseUrl: scratch?.url, dataDir: folder.path })
      return work(database.db).finally(database.close)
    },
    remove: () => Promise.all([folder.remove(), scratch?.drop()]),
  }
}
