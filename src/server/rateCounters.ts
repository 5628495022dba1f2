import type { IRateLimiterOptions, RateLimiterAbstract } from 'rate-limiter-flexible'
// The package's front door loads all of its stores: 40 ms and 7 MiB of a start.
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'
import { redis } from './live/relay'

type Rule = { times: number; seconds: number }
type Counters<Name extends string> = Record<Name, RateLimiterAbstract>

/** One counter for each rule, in this process; with Redis, in all of them. */
export async function openCounters<Name extends string>(rules: Record<Name, Rule>, redisUrl: string | undefined) {
  const store = redisUrl ? await overRedis(redisUrl) : null
  const open = ([name, { times, seconds }]: [string, Rule]) => {
    const rule = { keyPrefix: `wrk:limit:${name}`, points: times, duration: seconds }
    const inProcess = new BoundedMemory(rule)
    return [name, store ? store.counter(rule, inProcess) : inProcess]
  }
  // Each name of the rules is there: fromEntries forgets them.
  const counters = Object.fromEntries(Object.entries<Rule>(rules).map(open)) as Counters<Name>
  return { counters, close: () => store?.close() }
}

async function overRedis(url: string) {
  const { default: RateLimiterRedis } = await import('rate-limiter-flexible/lib/RateLimiterRedis.js')
  const { options, close } = keepLine(url)
  const counter = (rule: IRateLimiterOptions, insuranceLimiter: RateLimiterAbstract) =>
    new RateLimiterRedis({ ...rule, ...options, insuranceLimiter })
  return { counter, close }
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
const ANSWERS_WITHIN = 1_000
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
      const giveUp = () => {
        asked.close()
        reject(new Error('Redis does not answer'))
      }
      // In two steps: in between, a process that was itself too busy to look sees the answer that is there.
      timer = setTimeout(() => {
        timer = setTimeout(giveUp, ANSWERS_WITHIN / 2)
      }, ANSWERS_WITHIN / 2)
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
