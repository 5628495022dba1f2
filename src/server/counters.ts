import type { RateLimiterAbstract } from 'rate-limiter-flexible'
// The package's front door loads all of its stores: 40 ms and 7 MiB of a start.
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'
import RateLimiterRedis from 'rate-limiter-flexible/lib/RateLimiterRedis.js'
import { redis } from '../live/bus'

type Rule = { times: number; seconds: number }
type Counters<Name extends string> = Record<Name, RateLimiterAbstract>

/** One counter for each rule, in this process; with Redis, in all of them. */
export function openCounters<Name extends string>(rules: Record<Name, Rule>, redisUrl: string | undefined) {
  const line = redisUrl ? keepLine(redisUrl) : null
  const open = ([name, { times, seconds }]: [string, Rule]) => {
    const rule = { keyPrefix: `wrk:limit:${name}`, points: times, duration: seconds }
    const inProcess = new BoundedMemory(rule)
    if (!line) return [name, inProcess]
    return [name, new RateLimiterRedis({ ...rule, ...line.options, insuranceLimiter: inProcess })]
  }
  const counters = Object.fromEntries(Object.entries<Rule>(rules).map(open)) as Counters<Name>
  return { counters, close: () => line?.close() }
}

/** So many keys of one rule are remembered in this process. */
const MOST_KEYS = 10_000

/** Keys go when their time is over; in a flood of new ones, the longest unused go earlier, rather than the memory. */
class BoundedMemory extends RateLimiterMemory {
  private readonly used = new Set<string | number>()

  override consume(key: string | number) {
    this.used.delete(key)
    this.used.add(key)
    if (this.used.size > MOST_KEYS) {
      const [oldest = ''] = this.used
      this.used.delete(oldest)
      void this.delete(oldest)
    }
    return super.consume(key)
  }
}

/** Redis answers in less than a millisecond; one that takes longer than this is as good as gone. In milliseconds. */
const ANSWERS_WITHIN = 500
/** A lost line is opened again after this, in milliseconds. */
const OPEN_AGAIN_AFTER = 500

/**
 * Bun's own client as the limiter wants one. While Redis cannot be reached, or does not answer, nobody waits for it:
 * what is asked fails at once, and each process counts for itself.
 */
function keepLine(url: string) {
  let client: Bun.RedisClient | undefined
  let ended = false

  async function keep() {
    while (!ended) {
      const next = redis(url)
      const lost = new Promise<void>((resolve) => {
        next.onclose = () => resolve()
      })
      if (
        await next.connect().then(
          () => !ended,
          () => false,
        )
      ) {
        client = next
        await lost
        client = undefined
        if (!ended) console.error('the line to Redis is lost: until it is open again, limits hold in each process for itself')
      }
      next.close()
      if (!ended) await Bun.sleep(OPEN_AGAIN_AFTER)
    }
  }

  async function ask(command: string, args: string[]) {
    const asked = client
    if (!asked) throw new Error('Redis cannot be reached')
    let timer: Timer | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        asked.close()
        reject(new Error('Redis does not answer'))
      }, ANSWERS_WITHIN)
    })
    return Promise.race([asked.send(command, args), late]).finally(() => clearTimeout(timer))
  }

  void keep()
  return {
    /** As the client of the package "redis", the only calls that the limiter makes here. */
    options: {
      useRedisPackage: true,
      storeClient: {
        eval: (script: string, { keys, arguments: args }: { keys: string[]; arguments: string[] }) =>
          ask('EVAL', [script, String(keys.length), ...keys, ...args]),
        del: (key: string) => ask('DEL', [key]),
      },
    },
    close() {
      ended = true
      client?.close()
    },
  }
}
