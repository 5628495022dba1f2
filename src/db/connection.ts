import { SQL } from 'bun'
import type { PgTransactionConfig } from 'drizzle-orm/pg-core'
import { drizzle, type RemoteCallback } from 'drizzle-orm/pg-proxy'
import { withTimeout } from '../promises'
import type { Db } from './database'
import { ConnectionLost, DatabaseUnavailable, isConnectionLost, sqlState } from './failures'

/** Long enough for every statement; the longest deletes an account with everything in it. */
const TIME_LIMITS = { lock_timeout: '2s', statement_timeout: '60s', idle_in_transaction_session_timeout: '10s' }
const CONNECT_SECONDS = 4
const PROBE_MS = 2_000

export type Connection = ReturnType<typeof openConnection>

/** One connection, opened on first use, which knows how long the server has owed it an answer. */
export function openConnection(url: string) {
  const name = `wrk ${crypto.randomUUID()}`
  const connection = { ...TIME_LIMITS, application_name: name }
  const sql = new SQL(url, { max: 1, connectionTimeout: CONNECT_SECONDS, connection })
  const refusals = new Set<(why: unknown) => void>()
  let isClosed = false
  let owed = 0
  let since = 0

  function owe(): void {
    if (owed++ === 0) since = performance.now()
  }
  function noteAnswer(): void {
    owed -= 1
    since = performance.now()
  }

  /** Pending calls have `seconds` to finish; after that they are refused. */
  async function close(seconds = 0, why: unknown = new ConnectionLost('the connection was abandoned')) {
    const closed = sql.close({ timeout: seconds }).catch(() => {})
    if (seconds > 0) await closed
    isClosed = true
    for (const refuse of refusals) refuse(why)
    await closed
  }

  /** Bun waits forever for a silent server: closing rejects. */
  async function unlessClosed<T>(answer: PromiseLike<T>): Promise<T> {
    const { promise: closed, reject: refuse } = Promise.withResolvers<never>()
    refusals.add(refuse)
    try {
      return await Promise.race([answer, closed])
    } finally {
      refusals.delete(refuse)
    }
  }

  const sendOver =
    (on: Pick<SQL, 'unsafe'>): RemoteCallback =>
    async (text, params, method) => {
      if (isClosed) throw new ConnectionLost('the connection was abandoned')
      owe()
      try {
        const query = on.unsafe(text, params)
        return { rows: await unlessClosed(method === 'all' ? query.values() : query) }
      } finally {
        noteAnswer()
      }
    }

  /** Rejects with the first error, of `work` or a statement; nothing is stored then, unless the commit went unanswered. */
  async function transaction<T>(work: (transaction: Db) => Promise<T>, config?: PgTransactionConfig): Promise<T> {
    let thrown: unknown
    const run = async (on: Pick<SQL, 'unsafe'>) => {
      noteAnswer()
      try {
        return { result: await withoutFailures(sendOver(on), work) }
      } catch (error) {
        thrown = error
        // A rollback would not be answered.
        if (isConnectionLost(error)) void close(0, error)
        throw error
      } finally {
        owe()
      }
    }
    owe()
    const ended = sql.begin(modeOf(config), run)
    ended.catch(() => {})
    try {
      return (await unlessClosed(ended)).result
    } catch (error) {
      // The rollback failed: the open transaction must not become part of the next one.
      if (error !== thrown) void close(0, error)
      throw error
    } finally {
      noteAnswer()
    }
  }

  return {
    name,
    query: sendOver(sql),
    transaction,
    /** Milliseconds that an answer has been due. */
    quiet: () => (owed > 0 ? performance.now() - since : 0),
    /** Waits for the answer again. */
    excuse() {
      since = performance.now()
    },
    isClosed: () => isClosed,
    close,
  }
}

/** If a statement in the transaction failed, Postgres silently turns the commit into a rollback. */
async function withoutFailures<T>(send: RemoteCallback, work: (transaction: Db) => Promise<T>): Promise<T> {
  const failures: unknown[] = []
  const noting: RemoteCallback = (...query) =>
    send(...query).catch((error) => {
      failures.push(error)
      throw error
    })
  const result = await work(drizzleOver(noting, refuseNested))
  if (failures.length > 0) throw failures[0]
  return result
}

export const drizzleOver = (send: RemoteCallback, transaction: Db['transaction']): Db =>
  Object.assign(drizzle(send, { casing: 'snake_case' }), { transaction })

const refuseNested = () => Promise.reject(new Error('a transaction within a transaction is not supported'))

const modeOf = ({ isolationLevel = 'read committed', accessMode = 'read write' }: PgTransactionConfig = {}) =>
  `isolation level ${isolationLevel} ${accessMode}`

/** The names of the connections that the server is working for, asked on a new one. Rejects if it does not answer. */
export async function connectionsAtWork(url: string, all: Connection[]): Promise<Set<string>> {
  const sql = new SQL(url, { max: 1 })
  const late = () => new DatabaseUnavailable(`no answer within ${PROBE_MS} ms`)
  try {
    const asked = sql.unsafe(
      `select application_name as name from pg_stat_activity where application_name like 'wrk %' and state in ('active', 'disabled')`,
    )
    const busy: { name: string }[] = await withTimeout(PROBE_MS, asked, late)
    return new Set(busy.map(({ name }) => name))
  } catch (error) {
    const isAnswer = sqlState(error) !== undefined && (!isConnectionLost(error) || sqlState(error) === '53300')
    if (!isAnswer) throw error
    // It answers, for example that there are too many connections, but not what the others do.
    return new Set(all.map(({ name }) => name))
  } finally {
    void sql.close({ timeout: 0 }).catch(() => {})
  }
}
