import type { SQL } from 'drizzle-orm'
import type { Db } from './database'

type Row = Record<string, unknown>
export type Run = (statement: SQL) => Promise<Row[]>

/** For statements without a query builder: the two drivers answer differently. */
export const runOn =
  (db: Db): Run =>
  async (statement) => {
    const answer = (await db.execute(statement)) as Row[] | { rows: Row[] }
    return Array.isArray(answer) ? answer : answer.rows
  }

/** For queries of every call: a statement is built once per database, because building it costs more than sending it. */
export function builtOnce<Statement>(build: (db: Db) => Statement): (db: Db) => Statement {
  const built = new WeakMap<Db, Statement>()
  return (db) => {
    const statement = built.get(db) ?? build(db)
    built.set(db, statement)
    return statement
  }
}

/** For statements of one transaction that share a round trip: rejects with the first failure, which is why later ones fail. */
export async function atOnce<Sent extends readonly unknown[] | []>(sent: Sent) {
  await Promise.allSettled(sent)
  return Promise.all(sent)
}
