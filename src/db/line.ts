import { SQL } from 'bun'
import { DatabaseUnavailable, isConnectionLost, sqlState } from './failures'
import type { Inner, Queries } from './lazily'
import { runTransaction } from './lineTransaction'

/** Long enough for whoever waits; the longest statement is the deletion of an account with all that goes with it. */
const TIME_LIMITS = { lock_timeout: '2s', statement_timeout: '60s', idle_in_transaction_session_timeout: '10s' }
const CONNECT_SECONDS = 4
const PROBE_MS = 2_000

export type Line = ReturnType<typeof openLine>

/** One connection, made when it is first used, and for how long the server has owed it an answer. */
export function openLine(url: string) {
  const name = `wrk ${crypto.randomUUID()}`
  const client = new SQL(url, {
    max: 1,
    connectionTimeout: CONNECT_SECONDS,
    connection: { ...TIME_LIMITS, application_name: name },
  })
  let owed = 0
  let since = 0

  async function answerOf<T>(query: PromiseLike<T>): Promise<T> {
    if (owed++ === 0) since = performance.now()
    try {
      return await query
    } finally {
      owed -= 1
      since = performance.now()
    }
  }

  let isClosed = false
  function close(seconds = 0) {
    isClosed = true
    return client.close({ timeout: seconds }).catch(() => {})
  }

  return {
    name,
    run: <T>(query: (client: Queries) => PromiseLike<T>) => answerOf(query(client)),
    begin: <T>(work: (inner: Inner) => Promise<T>) => runTransaction({ client, answerOf, close }, work),
    /** Milliseconds without the answer that is due. */
    quiet: () => (owed > 0 ? performance.now() - since : 0),
    excuse() {
      since = performance.now()
    },
    isClosed: () => isClosed,
    close,
  }
}

/** The connections for which the server does something, by name; asked on a new one. Rejects where it does not answer. */
export async function linesAtWork(url: string, all: Line[]): Promise<Set<string>> {
  const client = new SQL(url, { max: 1 })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    void client.close({ timeout: 0 }).catch(() => {})
  }, PROBE_MS)
  try {
    const busy: { name: string }[] = await client.unsafe(
      `select application_name as name from pg_stat_activity where application_name like 'wrk %' and state in ('active', 'disabled')`,
    )
    return new Set(busy.map(({ name }) => name))
  } catch (error) {
    if (isLate) throw new DatabaseUnavailable(`no answer within ${PROBE_MS} ms`)
    // Too many connections is an answer, though it does not say what the others do.
    if (isConnectionLost(error) && sqlState(error) !== '53300') throw error
    return new Set(all.map(({ name }) => name))
  } finally {
    clearTimeout(timer)
    void client.close({ timeout: 0 }).catch(() => {})
  }
}
