import { type DatabaseFacts, databaseFacts } from '../../db/facts'
import type { Context } from './command'

export const run = ({ database }: Context): Promise<DatabaseFacts> => databaseFacts(database.db)

export const show = (facts: unknown) => {
  const { version, hasTrigrams } = facts as DatabaseFacts
  return `Postgres ${version}, ${hasTrigrams ? 'with' : 'without'} pg_trgm`
}
