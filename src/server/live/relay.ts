import { ConfigError } from '../../config'
import type { Presence, ServerMessage } from '../../protocol'
import { type Bus, redis } from '../redis'
import type { SessionUser } from '../signedIn'

export type Envelope =
  | { do: 'publish'; topics: string[]; message: ServerMessage }
  | { do: 'sendToUser'; userId: number; exceptTopic: string; message: ServerMessage }
  | { do: 'updateUser'; user: SessionUser }
  | { do: 'leaveBoard'; userId: number; boardId: number }
  | { do: 'closeSession'; sessionKey: string }
  | { do: 'reconnect' }
  | { do: 'presence'; process: string; boardId: number; people: Presence[] }

export interface Relay {
  send(envelopes: Envelope[]): void
  receive(deliver: (envelope: Envelope) => void): Promise<void>
  close(): void
}

export const openRelay = (bus: Bus | undefined): Relay => (bus ? redisRelay(bus) : localRelay())

function localRelay(): Relay {
  let deliver: (envelope: Envelope) => void = () => {}
  return {
    send: (envelopes) => envelopes.forEach(deliver),
    async receive(receiver) {
      deliver = receiver
    },
    close() {},
  }
}

const channelOf = (installation: string) => `wrk:${installation}:live:2`
const RECONNECT_DELAY_MS = 500

type Packet = { from: string; envelopes: Envelope[] }

function redisRelay(bus: Bus): Relay {
  const self = crypto.randomUUID()
  const local = localRelay()
  let connection: Connection | undefined
  let closed = false

  function send(envelopes: Envelope[]) {
    if (envelopes.length === 0) return
    local.send(envelopes)
    connection?.publish(JSON.stringify({ from: self, envelopes } satisfies Packet))
  }

  function onPacket(text: string) {
    // Only our own processes write to this channel.
    const { from, envelopes } = JSON.parse(text) as Packet
    if (from !== self) local.send(envelopes)
  }

  /** Messages sent while disconnected are lost, so all pages reconnect afterwards. */
  async function keepConnected(first: Connection): Promise<void> {
    connection = first
    for (;;) {
      await connection.lost
      if (closed) return
      console.error('the line to Redis is lost: until it is open again, changes are heard only in the process that made them')
      connection = await reconnect()
      if (closed || !connection) return connection?.close()
      console.error('the line to Redis is open again')
      send([{ do: 'reconnect' }])
    }
  }

  async function reconnect(): Promise<Connection | undefined> {
    while (!closed) {
      await Bun.sleep(RECONNECT_DELAY_MS)
      const next = await connect(bus, onPacket).catch(() => null)
      if (next) return next
    }
  }

  return {
    send,
    async receive(deliver) {
      await local.receive(deliver)
      void keepConnected(await connect(bus, onPacket))
    },
    close() {
      closed = true
      connection?.close()
    },
  }
}

function unreachable(error: unknown): never {
  throw new ConfigError(`REDIS_URL names a Redis that cannot be reached: ${error instanceof Error ? error.message : error}`)
}

type Connection = Awaited<ReturnType<typeof connect>>

/** A subscribed connection cannot publish. Reconnecting by itself, it would silently lose its subscription. */
async function connect({ url, installation }: Bus, onPacket: (text: string) => void) {
  // Not at the same time: the embedded database opens without a pause, in which the connection would time out.
  const channel = channelOf(await installation)
  const [publisher, subscriber] = [redis(url), redis(url)]
  const lost = new Promise<void>((resolve) => {
    publisher.onclose = subscriber.onclose = () => resolve()
  })
  const close = () => {
    publisher.close()
    subscriber.close()
  }
  lost.then(close)
  try {
    await Promise.all([publisher.connect(), subscriber.connect()]).catch(unreachable)
    await subscriber.subscribe(channel, onPacket).catch(unreachable)
    return { lost, close, publish: (text: string) => void publisher.publish(channel, text).catch(close) }
  } catch (error) {
    close()
    throw error
  }
}
