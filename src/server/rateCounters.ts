import type { IRateLimiterOptions, RateLimiterAbstract } from 'rate-limiter-flexible'
// The package's index loads every store: 40 ms and 7 MiB of a start.
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'
import { redis } from './live/relay'

type Rule = { times: number; seconds: number }
type Counters<Name extends string> = Record<Name, RateLimiterAbstract>

/** One counter per rule; with Redis, shared by all processes. */
export async function openCounters<Name extends string>(rules: Record<Name, Rule>, redisUrl: string | undefined) {
  const store = redisUrl ? await overRedis(redisUrl) : null
  const open = ([name, { times, seconds }]: [string, Rule]) => {
    const rule = { keyPrefix: `wrk:limit:${name}`, points: times, duration: seconds }
    const inProcess = new BoundedMemory(rule)
    return [name, store ? store.counter(rule, inProcess) : inProcess]
  }
  // fromEntries forgets the names.
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

const MOST_KEYS = 10_000

/** In a flood of new keys, evicts the least recently used instead of growing. */
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

const ANSWERS_WITHIN = 1_000
const OPEN_AGAIN_AFTER = 500

/** Bun's client for the limiter. While Redis is away calls fail at once, and each process counts for itself. */
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
      // In two steps: in between, a process that was itself too busy sees an answer that has arrived.
      timer = setTimeout(() => {
        timer = setTimeout(giveUp, ANSWERS_WITHIN / 2)
      }, ANSWERS_WITHIN / 2)
    })
    return Promise.race([asked.send(command, args), late]).finally(() => clearTimeout(timer))
  }

  void keep()
  return {
    /** The only calls that the limiter makes of the package "redis". */
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
