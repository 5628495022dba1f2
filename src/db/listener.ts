import { SQL } from 'bun'
import { type SQL as Question, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sql'
import type { Db } from './database'
import { atOnce, runOn } from './statements'

const CONNECT_SECONDS = 4

export type { Question }
export type Answer = Record<string, unknown>
type Said = { channel: string; parts: string[] }

export type Listener = ReturnType<typeof openListener>

/** Outside the pool; Bun's `listen` opens a second connection. `opened` is also called after each reconnect. */
export function openListener(url: string, channel: string, { heard, opened }: { heard(text: string): void; opened(): void }) {
  const client = new SQL(url, { max: 1, connectionTimeout: CONNECT_SECONDS, connection: { application_name: 'wrk listens' } })
  const db = drizzle({ client })
  let isClosed = false
  const listening = client.listen(
    channel,
    (text) => isClosed || heard(text),
    () => isClosed || opened(),
  )
  return {
    listening,
    /** Also sends a message, which arrives after everything that the answer reflects. */
    ask: (question: Question, said: Said): Promise<Answer> => askFor(db, sql`${question}, ${saying(said)}`),
    async say(said: Said) {
      await db.execute(sql`select ${saying(said)}`)
    },
    close() {
      isClosed = true
      return client.close({ timeout: 0 }).catch(() => {})
    },
  }
}

export async function askFor(db: Db, question: Question): Promise<Answer> {
  const [answer] = await runOn(db)(question)
  return answer ?? {}
}

const saying = ({ channel, parts }: Said) =>
  sql.join(
    parts.map((part) => sql`pg_notify(${channel}, ${part})`),
    sql`, `,
  )

/** In a transaction: delivered if it commits, in the order of commits. */
export const sayAtCommit = (db: Db, { channel, parts }: Said) =>
  atOnce(parts.map((part) => db.execute(sql`select pg_notify(${channel}, ${part})`)))
