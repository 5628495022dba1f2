import { log } from '../log'
import type { PoolUse } from './database'
import { againIfLost, DatabaseUnavailable, isConnectionLost, isTimeLimit, sqlState } from './failures'
import { type Inner, lazily } from './lazily'
import { type Line, linesAtWork, openLine } from './line'

/** With the time for asking the server, less than the five seconds after which every call has its answer. */
const QUIET_MS = 1_500
const WAIT_MS = 2_500

const LOOK_EVERY_MS = 250
const PROBE_AGAIN_MS = 500
const ON_ITS_WAY_MS = 300
const SAY_EVERY_MS = 60_000

/** Kept for queries, so that changes which wait for a lock keep nobody from reading. */
const KEPT_FOR_QUERIES = 2

type Waiting = { isChange: boolean; since: number; take(line: Line): void; refuse(error: Error): void }

/**
 * What Drizzle takes for Bun's client. Bun's own pool waits for ever on connections that fell silent (a frozen server, a
 * failover, a router that forgot them); this one asks the server on a new connection, and opens the silent ones anew.
 */
export function createPool(url: string, size: number, first = openLine(url)) {
  const lines = new Set<Line>()
  const free: Line[] = []
  const waiting: Waiting[] = []
  let changes = 0
  let isAway = false
  let isClosed = false
  let isLooking = false
  let saidAt = Number.NEGATIVE_INFINITY
  const mostChanges = Math.max(1, size - KEPT_FOR_QUERIES)

  function open(): Line {
    const line = openLine(url)
    lines.add(line)
    return line
  }
  for (let n = 1; n < size; n++) free.push(open())
  lines.add(first)
  free.push(first)

  function giveUp(given: Line[]) {
    for (const line of given) {
      lines.delete(line)
      void line.close()
      if (free.includes(line)) free.splice(free.indexOf(line), 1, open())
    }
  }

  function serve() {
    while (free.length > 0) {
      const next = waiting.findIndex(({ isChange }) => !isChange || changes < mostChanges)
      const [waiter] = next < 0 ? [] : waiting.splice(next, 1)
      const line = waiter && free.pop()
      if (!line) return
      if (waiter.isChange) changes += 1
      waiter.take(line)
    }
  }

  async function using<T>(isChange: boolean, work: (line: Line) => Promise<T>): Promise<T> {
    if (isAway || isClosed) throw new DatabaseUnavailable('the database does not answer')
    const line = await new Promise<Line>((take, refuse) => {
      waiting.push({ isChange, since: performance.now(), take, refuse })
      serve()
    })
    try {
      return await work(line)
    } catch (error) {
      if (isTimeLimit(error)) say(error)
      if (line.isClosed()) giveUp([line])
      if (isConnectionLost(error)) {
        // A server that ended one has often ended them all: what is tried again would meet the next.
        giveUp(isOfOne(error) ? [line] : [line, ...free])
        look()
      }
      throw error
    } finally {
      if (isChange) changes -= 1
      if (lines.has(line)) free.push(line)
      else free.unshift(open())
      serve()
    }
  }

  function say(error: unknown) {
    if (performance.now() - saidAt < SAY_EVERY_MS) return
    saidAt = performance.now()
    log.warn(`the database took too long, once or more often within a minute: ${messageOf(error)}`)
  }

  function refuse(these: Waiting[], why: string) {
    for (const { refuse } of these) refuse(new DatabaseUnavailable(why))
  }

  function leave(error: unknown) {
    if (isAway || isClosed) return
    log.error(`the database does not answer (${messageOf(error)}): until it does, calls are refused`)
    isAway = true
    giveUp([...lines])
    refuse(waiting.splice(0), 'the database does not answer')
  }

  function look() {
    if (isLooking) return
    isLooking = true
    void lookAtServer().finally(() => {
      isLooking = false
    })
  }

  async function untilAnswered(): Promise<Set<string>> {
    while (!isClosed) {
      const found = await againIfLost(() => linesAtWork(url, [...lines])).catch(leave)
      if (found) return found
      await Bun.sleep(PROBE_AGAIN_MS)
    }
    return new Set()
  }

  async function lookAtServer() {
    const quiet = [...lines].filter((line) => line.quiet() > QUIET_MS)
    const atWork = await untilAnswered()
    if (isAway && !isClosed) log.error('the database answers again')
    isAway = false
    if (quiet.length === 0) return
    await Bun.sleep(ON_ITS_WAY_MS)
    const dead = quiet.filter((line) => line.quiet() > QUIET_MS && !atWork.has(line.name))
    for (const line of quiet) line.excuse()
    if (dead.length > 0) giveUp([...dead, ...free])
  }

  const timer = setInterval(() => {
    const inTime = waiting.findIndex(({ since }) => performance.now() - since < WAIT_MS)
    refuse(waiting.splice(0, inTime < 0 ? waiting.length : inTime), 'every connection is in use')
    if ([...lines].some((line) => line.quiet() > QUIET_MS)) look()
  }, LOOK_EVERY_MS)
  timer.unref()

  return {
    unsafe: lazily((query) => using(false, (line) => line.run(query))),
    begin: <T>(work: (inner: Inner) => Promise<T>) => using(true, (line) => line.begin(work)),
    use: (): PoolUse => ({ used: lines.size - free.length, idle: free.length, waiting: waiting.length }),
    async close(seconds: number) {
      isClosed = true
      clearInterval(timer)
      await Promise.all([...lines].map((line) => line.close(seconds)))
    },
  }
}

/** One connection too many, or one that rested within its transaction. */
const isOfOne = (error: unknown) => ['53300', '25P03'].includes(sqlState(error) ?? '')

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause ? messageOf(error.cause) : error.message
}
