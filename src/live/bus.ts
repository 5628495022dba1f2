import type { BoardMessage, PassingMessage, ServerMessage } from './messages'

/** What travels to every process's sockets. */
export type Envelope =
  | { do: 'publish'; topics: string[]; message: BoardMessage | PassingMessage | ServerMessage }
  | { do: 'cut'; userId: number; boardId: number }
  | { do: 'close'; sessionKey: string }

/** Carries envelopes to all processes that serve this site, this one included. */
export interface Bus {
  send(envelopes: Envelope[]): void
  receive(deliver: (envelope: Envelope) => void): Promise<void>
  close(): void
}

export const openBus = (redisUrl: string | undefined): Bus => (redisUrl ? redisBus(redisUrl) : localBus())

function localBus(): Bus {
  let deliver: (envelope: Envelope) => void = () => {}
  return {
    send(envelopes) {
      for (const envelope of envelopes) deliver(envelope)
    },
    async receive(receiver) {
      deliver = receiver
    },
    close() {},
  }
}

const CHANNEL = 'wrk:live'

function redisBus(url: string): Bus {
  const publisher = new Bun.RedisClient(url)
  const subscriber = new Bun.RedisClient(url)
  const lost = (error: unknown) => console.error('live messages did not reach Redis', error)
  return {
    send: (envelopes) => {
      for (const envelope of envelopes) publisher.publish(CHANNEL, JSON.stringify(envelope)).catch(lost)
    },
    async receive(deliver) {
      await subscriber.connect()
      // Only our own processes write to this channel.
      await subscriber.subscribe(CHANNEL, (text) => deliver(JSON.parse(text) as Envelope))
    },
    close() {
      publisher.close()
      subscriber.close()
    },
  }
}
