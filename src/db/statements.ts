import type { Db } from './database'

/** For what every call asks first: a statement is built once for each database, as building it costs more than sending it. */
export function builtOnce<Statement>(build: (db: Db) => Statement): (db: Db) => Statement {
  const built = new WeakMap<Db, Statement>()
  return (db) => {
    const statement = built.get(db) ?? build(db)
    built.set(db, statement)
    return statement
  }
}

/**
 * For statements of one transaction, which were sent in their order and share a round trip: the first that fails is why those
 * after it do. Drizzle sends a query where it is awaited, or by its `execute`.
 */
export async function atOnce<Sent extends readonly unknown[] | []>(sent: Sent) {
  await Promise.allSettled(sent)
  return Promise.all(sent)
}
