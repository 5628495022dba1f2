import { ConfigError } from '../../config'
import type { BoardMessage, PassingMessage, ServerMessage } from '../../messages'

/** What travels to every process's sockets. */
export type Envelope =
  | { do: 'publish'; topics: string[]; message: BoardMessage | PassingMessage | ServerMessage }
  | { do: 'reach'; userId: number; beyond: string; message: BoardMessage }
  | { do: 'cut'; userId: number; boardId: number }
  | { do: 'close'; sessionKey: string }
  | { do: 'rejoin' }

/** Carries envelopes to all processes that serve this site: to this one at once. */
export interface Bus {
  send(envelopes: Envelope[]): void
  /** Throws ConfigError where the others cannot be reached. */
  receive(deliver: (envelope: Envelope) => void): Promise<void>
  close(): void
}

export const openBus = (redisUrl: string | undefined): Bus => (redisUrl ? redisBus(redisUrl) : localBus())

function localBus(): Bus {
  let deliver: (envelope: Envelope) => void = () => {}
  return {
    send: (envelopes) => envelopes.forEach(deliver),
    async receive(receiver) {
      deliver = receiver
    },
    close() {},
  }
}

const CHANNEL = 'wrk:live'
/** A lost line is opened again after this, in milliseconds. */
const OPEN_AGAIN_AFTER = 500

/** What one process tells the others. */
type Post = { from: string; envelopes: Envelope[] }

function redisBus(url: string): Bus {
  const self = crypto.randomUUID()
  const local = localBus()
  let line: Line | undefined
  let ended = false

  function send(envelopes: Envelope[]) {
    if (envelopes.length === 0) return
    local.send(envelopes)
    line?.say(JSON.stringify({ from: self, envelopes } satisfies Post))
  }

  function hear(text: string) {
    // Only our own processes write to this channel.
    const { from, envelopes } = JSON.parse(text) as Post
    if (from !== self) local.send(envelopes)
  }

  /** Opens a new line whenever one is lost. What was said meanwhile is lost too, so all pages join anew. */
  async function keep(first: Line): Promise<void> {
    line = first
    for (;;) {
      await line.lost
      if (ended) return
      console.error('the line to Redis is lost: until it is open again, changes are heard only in the process that made them')
      line = await openAgain()
      if (ended || !line) return line?.close()
      console.error('the line to Redis is open again')
      send([{ do: 'rejoin' }])
    }
  }

  async function openAgain(): Promise<Line | undefined> {
    while (!ended) {
      await Bun.sleep(OPEN_AGAIN_AFTER)
      const next = await openLine(url, hear).catch(() => null)
      if (next) return next
    }
  }

  return {
    send,
    async receive(deliver) {
      await local.receive(deliver)
      void keep(await openLine(url, hear).catch(unreachable))
    },
    close() {
      ended = true
      line?.close()
    },
  }
}

function unreachable(error: unknown): never {
  throw new ConfigError(`REDIS_URL names a Redis that cannot be reached: ${error instanceof Error ? error.message : error}`)
}

type Line = Awaited<ReturnType<typeof openLine>>

/**
 * Two connections, for one that listens cannot speak. Neither is opened again by itself: it would be without its
 * subscription, and nobody would know that there was a gap.
 */
async function openLine(url: string, hear: (text: string) => void) {
  const [speaker, listener] = [redis(url), redis(url)]
  const lost = new Promise<void>((resolve) => {
    speaker.onclose = listener.onclose = () => resolve()
  })
  const close = () => {
    speaker.close()
    listener.close()
  }
  lost.then(close)
  try {
    await Promise.all([speaker.connect(), listener.connect()])
    await listener.subscribe(CHANNEL, hear)
  } catch (error) {
    close()
    throw error
  }
  return { lost, close, say: (text: string) => void speaker.publish(CHANNEL, text).catch(close) }
}

export const redis = (url: string) => new Bun.RedisClient(url, { autoReconnect: false, maxRetries: 0, connectionTimeout: 5_000 })
