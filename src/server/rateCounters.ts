import type { IRateLimiterOptions, RateLimiterAbstract } from 'rate-limiter-flexible'
// The package's index loads every store: 40 ms and 7 MiB of a start.
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'
import { ConfigError } from '../config'
import { log } from '../log'
import { type Bus, redis } from './redis'

type Rule = { times: number; seconds: number }
type Counters<Name extends string> = Record<Name, RateLimiterAbstract>

/** One counter per rule; with Redis, shared by all processes. */
export async function openCounters<Name extends string>(rules: Record<Name, Rule>, bus: Bus | undefined) {
  const store = bus ? await overRedis(bus) : null
  const open = ([name, { times, seconds }]: [string, Rule]) => {
    const rule = { keyPrefix: `wrk:${store?.installation ?? ''}:limit:${name}`, points: times, duration: seconds }
    const inProcess = new BoundedMemory(rule)
    return [name, store ? store.counter(rule, inProcess) : inProcess]
  }
  // fromEntries forgets the names.
  const counters = Object.fromEntries(Object.entries<Rule>(rules).map(open)) as Counters<Name>
  return { counters, close: () => store?.close() }
}

async function overRedis(bus: Bus) {
  const [{ default: RateLimiterRedis }, installation] = await Promise.all([
    import('rate-limiter-flexible/lib/RateLimiterRedis.js'),
    bus.installation,
  ])
  const { options, close } = await redisClient(bus.url)
  const counter = (rule: IRateLimiterOptions, insuranceLimiter: RateLimiterAbstract) =>
    new RateLimiterRedis({ ...rule, ...options, insuranceLimiter })
  return { counter, installation, close }
}

const MAX_KEYS = 10_000

/** In a flood of new keys, evicts the least recently used instead of growing. */
class BoundedMemory extends RateLimiterMemory {
  private readonly used = new Set<string | number>()

  override consume(key: string | number) {
    this.used.delete(key)
    this.used.add(key)
    if (this.used.size > MAX_KEYS) {
      const [oldest = ''] = this.used
      this.used.delete(oldest)
      void this.delete(oldest)
    }
    return super.consume(key)
  }
}

function unreachable(error: unknown): never {
  throw new ConfigError(`REDIS_URL names a Redis that cannot be reached: ${error instanceof Error ? error.message : error}`)
}

const REDIS_TIMEOUT_MS = 1_000
const RECONNECT_DELAY_MS = 500

/** Bun's client for the limiter. While Redis is away calls fail at once, and each process counts for itself. */
async function redisClient(url: string) {
  let client: Bun.RedisClient | undefined
  let closed = false

  /** Resolves to what resolves when the line is lost. */
  async function connect() {
    const next = redis(url)
    const lost = new Promise<void>((resolve) => {
      next.onclose = () => resolve()
    })
    await next.connect().finally(() => (closed || !next.connected) && next.close())
    client = next
    return { lost }
  }

  async function keepConnected({ lost }: { lost: Promise<void> }) {
    await lost
    client = undefined
    if (!closed) log.error('the line to Redis is lost: until it is open again, limits hold in each process for itself')
    while (!closed) {
      await Bun.sleep(RECONNECT_DELAY_MS)
      const again = await connect().catch(() => null)
      if (again) return keepConnected(again)
    }
  }

  async function send(command: string, args: string[]) {
    const connected = client
    if (!connected) throw new Error('Redis cannot be reached')
    let timer: Timer | undefined
    const timeout = new Promise<never>((_, reject) => {
      const giveUp = () => {
        connected.close()
        reject(new Error('Redis does not answer'))
      }
      // In two steps: in between, a process that was itself too busy sees an answer that has arrived.
      timer = setTimeout(() => {
        timer = setTimeout(giveUp, REDIS_TIMEOUT_MS / 2)
      }, REDIS_TIMEOUT_MS / 2)
    })
    return Promise.race([connected.send(command, args), timeout]).finally(() => clearTimeout(timer))
  }

  void keepConnected(await connect().catch(unreachable))
  return {
    options: {
      useRedisPackage: true,
      storeClient: {
        eval: (script: string, { keys, arguments: args }: { keys: string[]; arguments: string[] }) =>
          send('EVAL', [script, String(keys.length), ...keys, ...args]),
        del: (key: string) => send('DEL', [key]),
      },
    },
    close() {
      closed = true
      client?.close()
    },
  }
}
