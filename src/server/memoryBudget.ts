import { Refusal } from './errors'

const MIB = 2 ** 20
const WAIT_MS = 60_000
const RETRY_AFTER_SECONDS = 30
const BUSY = 'The server is busy with other imports. Please try again in a minute.'

export type MemoryBudget = ReturnType<typeof createMemoryBudget>

/** A budget of bytes; work holds its maximum while it runs, first come, first served. */
export function createMemoryBudget(total: number) {
  let free = total
  const waiting: { bytes: number; begin: () => void }[] = []

  function next() {
    for (let first = waiting[0]; first && first.bytes <= free; first = waiting[0]) {
      waiting.shift()
      free -= first.bytes
      first.begin()
    }
  }

  async function acquire(bytes: number, waitMs: number | null) {
    const turn = Promise.withResolvers<void>()
    const own = { bytes, begin: turn.resolve }
    waiting.push(own)
    next()
    const giveUp = () => {
      waiting.splice(waiting.indexOf(own), 1)
      turn.reject(new Refusal('SERVICE_UNAVAILABLE', BUSY, { retryAfter: RETRY_AFTER_SECONDS }))
      next()
    }
    const timer = waitMs !== null && waiting.includes(own) && setTimeout(giveUp, waitMs)
    await turn.promise.finally(() => timer && clearTimeout(timer))
  }

  return {
    /** Waits its turn, forever if `waitMs` is null; `held` is never more than `total`. Throws SERVICE_UNAVAILABLE. */
    async hold<T>(bytes: number, work: (held: number) => Promise<T>, waitMs: number | null = WAIT_MS): Promise<T> {
      const held = Math.min(bytes, total)
      await acquire(held, waitMs)
      try {
        return await work(held)
      } finally {
        free += held
        collectGarbage()
        next()
      }
    },
  }
}

const GARBAGE = 24 * MIB
let collected = Number.POSITIVE_INFINITY

/** Collects if the process has grown: the garbage of a large file can be several times its size. */
export function collectGarbage() {
  const bytes = process.memoryUsage.rss()
  if (bytes < collected + GARBAGE) {
    collected = Math.min(collected, bytes)
    return
  }
  Bun.gc(true)
  collected = process.memoryUsage.rss()
}
