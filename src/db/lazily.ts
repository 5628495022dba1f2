import type { SQL } from 'bun'

export type Queries = Pick<SQL, 'unsafe'>
type Query = ReturnType<Queries['unsafe']>
export type Ask = (client: Queries) => PromiseLike<unknown>
type Answer = Promise<unknown> & { values(): Promise<unknown> }
/** What Drizzle asks a transaction. */
export type Inner = { unsafe(text: string, given?: unknown[]): Answer }

/** What comes back can still be asked for as arrays, by `values`, before it runs, as Bun's own. */
export function lazily(run: (query: Ask) => Promise<unknown>): Inner['unsafe'] {
  return (text, given) => {
    let shape: (query: Query) => PromiseLike<unknown> = (query) => query
    const answer = Promise.resolve().then(() => run((client) => shape(client.unsafe(text, given))))
    const values = () => {
      shape = (query) => query.values()
      return answer
    }
    return Object.assign(answer, { values })
  }
}
