import { log } from '../log'
import { oneAtATime } from '../promises'
import { type Connection, connectionsAtWork, drizzleOver, openConnection } from './connection'
import type { Db, PoolUse } from './database'
import { againIfLost, DatabaseUnavailable, isConnectionLost, isTimeLimit, messageOf, sqlState } from './failures'

/** Every call is answered within five seconds: this leaves time to ask the server. */
const QUIET_MS = 1_500
const WAIT_MS = 2_500

const LOOK_EVERY_MS = 250
const PROBE_AGAIN_MS = 500
const ON_ITS_WAY_MS = 300
const WARN_EVERY_MS = 60_000

/** Reserved for queries, so that changes waiting for a lock do not block reads. */
const KEPT_FOR_QUERIES = 2

type Waiting = { isChange: boolean; since: number; take(connection: Connection): void; refuse(error: Error): void }

/** Bun's own pool waits forever on silent connections. This one asks the server which are working and replaces the rest. */
export function createPool(url: string, size: number) {
  const all = new Set<Connection>()
  const free: Connection[] = []
  const waiting: Waiting[] = []
  const mostChanges = Math.max(1, size - KEPT_FOR_QUERIES)
  let changes = 0
  let isAway = false
  let isClosed = false
  let warnedAt = Number.NEGATIVE_INFINITY

  function open(): Connection {
    const connection = openConnection(url)
    all.add(connection)
    return connection
  }
  for (let n = 0; n < size; n++) free.push(open())

  function giveUp(given: Connection[]) {
    for (const connection of given) {
      all.delete(connection)
      void connection.close()
      if (free.includes(connection)) free.splice(free.indexOf(connection), 1, ...(isClosed ? [] : [open()]))
    }
  }

  function serve() {
    while (free.length > 0) {
      const next = waiting.findIndex(({ isChange }) => !isChange || changes < mostChanges)
      const [waiter] = next < 0 ? [] : waiting.splice(next, 1)
      const connection = waiter && free.pop()
      if (!connection) return
      if (waiter.isChange) changes += 1
      waiter.take(connection)
    }
  }

  async function using<T>(isChange: boolean, work: (connection: Connection) => Promise<T>): Promise<T> {
    if (isAway || isClosed) throw new DatabaseUnavailable('the database does not answer')
    const connection = await new Promise<Connection>((take, refuse) => {
      waiting.push({ isChange, since: performance.now(), take, refuse })
      serve()
    })
    try {
      return await work(connection)
    } catch (error) {
      if (isTimeLimit(error)) warnOfTimeLimit(error)
      if (connection.isClosed()) giveUp([connection])
      if (isConnectionLost(error)) {
        // A server that ends one connection often ends all: replace the idle ones too, or the retry meets another dead one.
        giveUp(endsOnlyOne(error) ? [connection] : [connection, ...free])
        void look()
      }
      throw error
    } finally {
      if (isChange) changes -= 1
      if (all.has(connection)) free.push(connection)
      else if (!isClosed) free.unshift(open())
      serve()
    }
  }

  /** Retries once if the connection turns out to have been lost before anything was sent over it. */
  async function transaction<T>(work: (transaction: Db) => Promise<T>, config?: Parameters<Db['transaction']>[1]): Promise<T> {
    let isBegun = false
    const noting = (transaction: Db) => {
      isBegun = true
      return work(transaction)
    }
    const begin = () => using(true, (connection) => connection.transaction(noting, config))
    return begin().catch((error) => {
      if (isBegun || !isConnectionLost(error)) throw error
      return begin()
    })
  }

  function warnOfTimeLimit(error: unknown) {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return
    warnedAt = performance.now()
    log.warn(`the database has been too slow at least once in the last minute: ${messageOf(error)}`)
  }

  function refuseAll(these: Waiting[], why: string) {
    for (const { refuse } of these) refuse(new DatabaseUnavailable(why))
  }

  function leave(error: unknown) {
    if (isAway || isClosed) return
    log.error(`the database does not answer (${messageOf(error)}): calls are refused until it does`)
    isAway = true
    giveUp([...all])
    refuseAll(waiting.splice(0), 'the database does not answer')
  }

  const look = oneAtATime(lookAtServer)

  async function untilAnswered(): Promise<Set<string>> {
    while (!isClosed) {
      const found = await againIfLost(() => connectionsAtWork(url, [...all])).catch((error) => {
        leave(error)
        return undefined
      })
      if (found) return found
      await Bun.sleep(PROBE_AGAIN_MS)
    }
    return new Set()
  }

  async function lookAtServer() {
    const quiet = [...all].filter((connection) => connection.quiet() > QUIET_MS)
    const atWork = await untilAnswered()
    // Pending calls get time to finish.
    if (isClosed) return
    if (isAway) log.error('the database answers again')
    isAway = false
    if (quiet.length === 0) return
    await Bun.sleep(ON_ITS_WAY_MS)
    const dead = quiet.filter((connection) => connection.quiet() > QUIET_MS && !atWork.has(connection.name))
    for (const connection of quiet) connection.excuse()
    if (dead.length > 0) giveUp([...dead, ...free])
  }

  const timer = setInterval(() => {
    const inTime = waiting.findIndex(({ since }) => performance.now() - since < WAIT_MS)
    refuseAll(waiting.splice(0, inTime < 0 ? waiting.length : inTime), 'every connection is in use')
    if ([...all].some((connection) => connection.quiet() > QUIET_MS)) void look()
  }, LOOK_EVERY_MS)
  timer.unref()

  return {
    db: drizzleOver((...query) => using(false, (connection) => connection.query(...query)), transaction),
    use: (): PoolUse => ({ used: all.size - free.length, idle: free.length, waiting: waiting.length }),
    async close(seconds: number) {
      isClosed = true
      clearInterval(timer)
      refuseAll(waiting.splice(0), 'the database is being closed')
      await Promise.all([...all].map((connection) => connection.close(seconds)))
    },
  }
}

/** Refused because there are too many connections, or ended because it idled in its transaction. */
const endsOnlyOne = (error: unknown) => ['53300', '25P03'].includes(sqlState(error) ?? '')
