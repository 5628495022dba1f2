import { SQL } from 'bun'
import type { PgTransactionConfig } from 'drizzle-orm/pg-core'
import { drizzle, type RemoteCallback } from 'drizzle-orm/pg-proxy'
import { log } from '../log'
import type { Db, PoolUse } from './database'
import {
  againIfLost,
  ConnectionLost,
  DatabaseUnavailable,
  isConnectionLost,
  isUnavailable,
  messageOf,
  sqlState,
} from './failures'

/** Long enough for all that wait; the longest statement is the deletion of an account with all that goes with it. */
const TIME_LIMITS = { lock_timeout: '2s', statement_timeout: '60s', idle_in_transaction_session_timeout: '10s' }
const CONNECT_SECONDS = 4

/** With the time for asking the server, less than the five seconds after which every call has its answer. */
const OVERDUE_MS = 2_500
const PROBE_MS = 2_000
const LOOK_EVERY_MS = 250

type Client = { sql: SQL; name: string; underWay: number }
type Call = { since: number; refuse(error: unknown): void }

/**
 * Bun's client with its own pool, where what gets no answer, of a frozen server or over connections that a router forgot,
 * waits for ever. So this asks the server on a new connection about calls that are overdue. Unless it is at work for them, it
 * refuses them, and opens another client in the place of this one.
 */
export function createPool(url: string, size: number) {
  const calls = new Set<Call>()
  let current = openClient(url, size)
  let isAway = false
  let isClosed = false
  let isLooking = false

  function renew() {
    const former = current
    current = openClient(url, size)
    if (former.underWay === 0) void end(former)
  }

  /** A former client ends with its last call. */
  async function using<T>(work: (client: Client) => Promise<T>): Promise<T> {
    if (isAway || isClosed) throw new DatabaseUnavailable('the database does not answer')
    const client = current
    client.underWay += 1
    try {
      return await work(client)
    } catch (error) {
      if (client === current && isConnectionLost(error)) {
        // A server that ended one has often ended them all: what is tried again would meet the next.
        if (!isOfOne(error)) renew()
        void look()
      }
      throw error
    } finally {
      client.underWay -= 1
      if (client !== current && client.underWay === 0) void end(client)
    }
  }

  async function answerOf<T>(ask: (call: Call) => PromiseLike<T>): Promise<T> {
    const { promise: refused, reject: refuse } = Promise.withResolvers<never>()
    const call = { since: performance.now(), refuse }
    calls.add(call)
    try {
      return await Promise.race([ask(call), refused])
    } finally {
      calls.delete(call)
    }
  }

  const asking =
    (on: Pick<SQL, 'unsafe'>): RemoteCallback =>
    async (text, params, method) => {
      const query = on.unsafe(text, params)
      return { rows: await answerOf(() => (method === 'all' ? query.values() : query)) }
    }

  /** Once more, where the connection turns out to be lost before anything was asked over it. */
  async function transaction<T>(work: (transaction: Db) => Promise<T>, config?: PgTransactionConfig): Promise<T> {
    let isBegun = false
    const begin = () =>
      using((client) =>
        runTransaction(client, config, (transaction) => {
          isBegun = true
          return work(transaction)
        }),
      )
    return begin().catch((error) => {
      if (isBegun || !isConnectionLost(error)) throw error
      return begin()
    })
  }

  const runTransaction = <T>(client: Client, config: PgTransactionConfig | undefined, work: (transaction: Db) => Promise<T>) =>
    answerOf(async (call) => {
      const { result } = await client.sql.begin(modeOf(config), async (on) => {
        if (!calls.has(call)) throw new DatabaseUnavailable('it was refused before it began')
        // From here to its commit each of its statements is a call by itself.
        call.since = Number.POSITIVE_INFINITY
        const failures: unknown[] = []
        const ask = asking(on)
        const noting: RemoteCallback = (...query) =>
          ask(...query).catch((error) => {
            failures.push(error)
            throw error
          })
        try {
          const result = await work(drizzleOver(noting, refuseNested))
          // Postgres would make the commit a rollback, and say nothing.
          if (failures.length > 0) throw failures[0]
          return { result }
        } catch (error) {
          // Its rollback would not be answered either.
          if (isUnavailable(error)) call.refuse(error)
          throw error
        } finally {
          call.since = performance.now()
        }
      })
      return result
    })

  async function look() {
    if (isLooking) return
    isLooking = true
    let atWork: number | undefined
    while (atWork === undefined && !isClosed) atWork = await againIfLost(() => countAtWork(url, current.name)).catch(leave)
    if (isClosed) return
    if (isAway) {
      renew()
      log.error('the database answers again')
    }
    isAway = isLooking = false
    const overdue = [...calls].filter(isOverdue).toSorted((a, b) => a.since - b.since)
    // What the server works on came before what waits for a connection.
    const unanswered = overdue.slice(atWork)
    if (unanswered.length > 0) renew()
    for (const { refuse } of unanswered) refuse(new ConnectionLost('no answer over this connection'))
    for (const call of overdue) call.since = performance.now()
  }

  async function leave(error: unknown): Promise<undefined> {
    if (!isAway && !isClosed) log.error(`the database does not answer (${messageOf(error)}): until it does, calls are refused`)
    isAway = true
    for (const { refuse } of calls) refuse(new DatabaseUnavailable('the database does not answer'))
    await Bun.sleep(LOOK_EVERY_MS)
  }

  const timer = setInterval(() => [...calls].some(isOverdue) && void look(), LOOK_EVERY_MS)
  timer.unref()

  return {
    db: drizzleOver((...query) => using((client) => asking(client.sql)(...query)), transaction),
    use(): PoolUse {
      const used = Math.min(current.underWay, size)
      return { used, idle: size - used, waiting: current.underWay - used }
    },
    close(seconds: number) {
      isClosed = true
      clearInterval(timer)
      return end(current, seconds)
    },
  }
}

function openClient(url: string, size: number): Client {
  const name = `wrk ${crypto.randomUUID()}`
  const connection = { ...TIME_LIMITS, application_name: name }
  const sql = new SQL(url, { max: size, connectionTimeout: CONNECT_SECONDS, connection })
  return { sql, name, underWay: 0 }
}

const end = ({ sql }: Pick<Client, 'sql'>, seconds = 0) => sql.close({ timeout: seconds }).catch(() => {})

const isOverdue = ({ since }: Call) => performance.now() - since > OVERDUE_MS

const drizzleOver = (ask: RemoteCallback, transaction: Db['transaction']): Db =>
  Object.assign(drizzle(ask, { casing: 'snake_case' }), { transaction })

const refuseNested = () => Promise.reject(new Error('a transaction within a transaction is not supported'))

const modeOf = ({ isolationLevel = 'read committed', accessMode = 'read write' }: PgTransactionConfig = {}) =>
  `isolation level ${isolationLevel} ${accessMode}`

/** For how many calls of a client the server does something; asked on a new connection. Rejects where it does not answer. */
async function countAtWork(url: string, name: string): Promise<number> {
  const sql = new SQL(url, { max: 1 })
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new DatabaseUnavailable(`no answer within ${PROBE_MS} ms`)), PROBE_MS)
  try {
    const counted = sql`select count(*)::int as count from pg_stat_activity where application_name = ${name} and state in ('active', 'disabled')`
    const [found] = await Promise.race([counted, late.promise])
    return found.count
  } catch (error) {
    // Too many connections is an answer, though it does not say what the others do.
    if (sqlState(error) === '53300') return Number.POSITIVE_INFINITY
    throw error
  } finally {
    clearTimeout(timer)
    void end({ sql })
  }
}

/** One connection too many, or one that rested within its transaction. */
const isOfOne = (error: unknown) => ['53300', '25P03'].includes(sqlState(error) ?? '')
