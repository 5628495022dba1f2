import { is, type Placeholder, SQL, sql } from 'drizzle-orm'
import type { Db } from './database'

export type Given<Values> = { [Name in keyof Values & string]: Placeholder<Name, Values[Name]> }

type Query<Answer> = { execute(values: Record<string, unknown>): Promise<Answer> }
type Builder<Answer> = { prepare(name: string): Query<Answer> }

/** Drizzle's own parts of a query, and of a database or transaction, which its types hide. */
type Built = { getQuery(): object; fields?: object; joinsNotNullableMap?: object }
type Parts = {
  dialect: { sqlToQuery(text: SQL): object }
  session: { prepareQuery(query: object, fields: object | undefined, name: undefined, asArrays: boolean): Query<unknown> }
}

/**
 * A query whose SQL is built once, because building it costs more than sending it; `given` stands for what each call brings.
 * It is sent as soon as it is called: of several at once, in their order, sharing a round trip.
 */
export function prepared<Values extends Record<string, unknown>, Answer>(
  build: (db: Db, given: Given<Values>) => Builder<Answer> | SQL<Answer>,
) {
  let built: Built | undefined
  return (db: Db, values: Values): Promise<Answer> => {
    built ??= prepare(db, build(db, placeholders as Given<Values>))
    const { session } = db as unknown as Parts
    const { fields, joinsNotNullableMap } = built
    const query = session.prepareQuery(built.getQuery(), fields, undefined, fields !== undefined)
    return Object.assign(query as Query<Answer>, { joinsNotNullableMap }).execute(values)
  }
}

/** For statements of one transaction, in their order: the first that fails is why those after it do. */
export async function atOnce<Sent extends readonly unknown[] | []>(sent: Sent) {
  await Promise.allSettled(sent)
  return Promise.all(sent)
}

function prepare(db: Db, built: Builder<unknown> | SQL): Built {
  const { dialect, session } = db as unknown as Parts
  const query = is(built, SQL) ? session.prepareQuery(dialect.sqlToQuery(built), undefined, undefined, false) : built.prepare('')
  return query as unknown as Built
}

const placeholders = new Proxy({}, { get: (_, name) => sql.placeholder(String(name)) })
