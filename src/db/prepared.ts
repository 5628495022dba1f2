import { is, type Placeholder, SQL, sql } from 'drizzle-orm'
import type { Db } from './database'

export type Given<Values> = { [Name in keyof Values & string]: Placeholder<Name, Values[Name]> }
type Query<Answer> = { execute(values: Record<string, unknown>): Promise<Answer> }
type Builder<Answer> = { prepare(name: string): Query<Answer> }

/** Drizzle's own parts of a database or transaction, which its types hide. */
type Parts = {
  dialect: { sqlToQuery(text: SQL): object }
  session: { client: unknown; prepareQuery(query: object, fields: undefined, name: undefined, asArrays: false): Query<unknown> }
}

/**
 * A query whose SQL is built once, because building it costs more than sending it; `given` stands for what each call brings.
 * It is sent as soon as it is called: of several at once, in their order, sharing a round trip.
 */
export function prepared<Values extends Record<string, unknown>, Answer>(
  build: (db: Db, given: Given<Values>) => Builder<Answer> | SQL<Answer>,
) {
  const built = new WeakMap<object, Query<Answer>>()
  return (db: Db, values: Values): Promise<Answer> => {
    const { dialect, session } = db as unknown as Parts
    const query = built.get(dialect) ?? prepare(db, build(db, placeholders as Given<Values>))
    built.set(dialect, query)
    // The same query, asked of this transaction.
    return Object.assign(Object.create(query), { client: session.client }).execute(values)
  }
}

function prepare<Answer>(db: Db, built: Builder<Answer> | SQL<Answer>): Query<Answer> {
  if (!is(built, SQL)) return built.prepare('')
  const { dialect, session } = db as unknown as Parts
  return session.prepareQuery(dialect.sqlToQuery(built), undefined, undefined, false) as Query<Answer>
}

const placeholders = new Proxy({}, { get: (_, name) => sql.placeholder(String(name)) })
