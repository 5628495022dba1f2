import { RateLimiterRedis } from 'rate-limiter-flexible'
import { ConfigError } from '../config'
import { log } from '../log'
import { withTimeout } from '../promises'

type Rule = { times: number; seconds: number }
/** Counts in windows; each begins with a key's first count. */
type Counter = {
  increment(key: string): Promise<{ count: number; endsInMs: number }>
  decrement(key: string): Promise<void>
}

export async function openCounters<Name extends string>(rules: Record<Name, Rule>, shared: SharedCounters | undefined) {
  const store = shared ? await overRedis(shared) : null
  const open = ([name, rule]: [string, Rule]) => {
    const inProcess = new MemoryCounter(rule.seconds)
    return [name, store ? store.counter(name, rule, inProcess) : inProcess]
  }
  // fromEntries loses the type of the keys.
  const counters = Object.fromEntries(Object.entries<Rule>(rules).map(open)) as Record<Name, Counter>
  return { counters, close: () => store?.close() }
}

async function overRedis(shared: SharedCounters) {
  const { installation } = shared
  const { options, close } = await redisClient(shared.url)
  /** Counts in the process while Redis is away. */
  function counter(name: string, { times: points, seconds: duration }: Rule, inProcess: Counter): Counter {
    const limiter = new RateLimiterRedis({ keyPrefix: `wrk:${installation}:limit:${name}`, points, duration, ...options })
    return {
      increment: (key) =>
        limiter.penalty(key).then(
          ({ consumedPoints, msBeforeNext }) => ({ count: consumedPoints, endsInMs: msBeforeNext }),
          () => inProcess.increment(key),
        ),
      async decrement(key) {
        try {
          const { consumedPoints } = await limiter.reward(key)
          // The window ended meanwhile: a negative count would allow more than the limit.
          if (consumedPoints < 0) await limiter.delete(key)
        } catch {
          await inProcess.decrement(key)
        }
      },
    }
  }
  return { counter, close }
}

const MAX_KEYS = 100_000
/** 4,096 counters, because keys are base64. */
const SHARED_LETTERS = 2

/** Not RateLimiterMemory, which has no bound on its keys: when this is full, keys with a common beginning share a counter. */
class MemoryCounter implements Counter {
  /** All windows have one length, so what ends first comes first. */
  private readonly windows = new Map<string, { count: number; endsAt: number }>()
  constructor(private readonly seconds: number) {}

  async increment(key: string) {
    const now = Date.now()
    this.deleteEnded(now)
    const slot = this.slotOf(key)
    let window = this.windows.get(slot)
    // Unordered only if the clock was set back.
    if (!window || window.endsAt <= now) {
      window = { count: 0, endsAt: now + this.seconds * 1000 }
      this.windows.set(slot, window)
    }
    window.count += 1
    return { count: window.count, endsInMs: window.endsAt - now }
  }

  async decrement(key: string) {
    const slot = this.slotOf(key)
    const window = this.windows.get(slot)
    if (!window) return
    if (window.count > 1) window.count -= 1
    else this.windows.delete(slot)
  }

  private slotOf = (key: string) => (this.windows.has(key) || this.windows.size < MAX_KEYS ? key : key.slice(0, SHARED_LETTERS))

  private deleteEnded(now: number) {
    for (const [key, { endsAt }] of this.windows) {
      if (endsAt > now) return
      this.windows.delete(key)
    }
  }
}

function unreachable(error: unknown): never {
  throw new ConfigError(`REDIS_URL names a Redis that cannot be reached: ${error instanceof Error ? error.message : error}`)
}

const REDIS_TIMEOUT_MS = 1_000
const RECONNECT_DELAY_MS = 500

/** Bun's client for the limiter. While Redis is away, calls fail at once and each process counts for itself. */
async function redisClient(url: string) {
  let client: Bun.RedisClient | undefined
  let closed = false

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
    if (!closed) log.error('the connection to Redis is lost: until it is back, each process enforces rate limits on its own')
    while (!closed) {
      await Bun.sleep(RECONNECT_DELAY_MS)
      const again = await connect().catch(() => null)
      if (again) return keepConnected(again)
    }
  }

  async function send(command: string, args: string[]) {
    const connected = client
    if (!connected) throw new Error('Redis cannot be reached')
    return withTimeout(REDIS_TIMEOUT_MS, connected.send(command, args), () => {
      connected.close()
      return new Error('Redis does not answer')
    })
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

/** One Redis may serve several installations. */
export type SharedCounters = { url: string; installation: string }

export const redis = (url: string) => new Bun.RedisClient(url, { autoReconnect: false, maxRetries: 0, connectionTimeout: 5_000 })
