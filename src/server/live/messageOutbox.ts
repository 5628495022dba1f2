import type { Db } from '../../db/database'
import type { Sockets } from './openSockets'
import { type Envelope, FIRST_CHANGE, type Relay } from './relay'

export type MessageOutbox = ReturnType<ReturnType<typeof createMessageOutboxes>['outbox']>

/** Gives an older change of another process a moment to arrive first. */
const ORDER_MS = 50
const KEPT_IDS = 10_000

export function createMessageOutboxes(relay: Relay, sockets: Sockets, isTrusted: () => boolean) {
  let nextId = FIRST_CHANGE
  const delivered = new Set<number>()
  const held = new Map<number, () => void>()

  /** A change arrives at its commit and through the relay: the first one counts. */
  function deliverOnce(id: number, read: () => Envelope[]) {
    if (delivered.delete(id)) return
    if (relay.echoes) delivered.add(id)
    const [oldest] = delivered
    if (oldest !== undefined && delivered.size > KEPT_IDS) delivered.delete(oldest)
    read().forEach(sockets.deliver)
  }

  const untilHeard = (id: number) =>
    new Promise<void>((resolve) => {
      held.set(id, resolve)
      setTimeout(resolve, ORDER_MS)
    }).finally(() => held.delete(id))

  return {
    hear(read: () => Envelope[], ownId: number | undefined) {
      if (ownId === undefined) return read().forEach(sockets.deliver)
      deliverOnce(ownId, read)
      held.get(ownId)?.()
    },

    outbox() {
      const id = nextId++
      const envelopes: Envelope[] = []
      return {
        push: (envelope: Envelope) => void envelopes.push(envelope),
        /** Last in the transaction, so that the others hear even if the process dies after the commit. */
        write: async (db: Db) => {
          if (envelopes.length > 0) await relay.write(db, id, envelopes)
        },
        async send() {
          if (envelopes.length === 0) return
          if (relay.echoes && !sockets.isNext(envelopes)) await untilHeard(id)
          if (isTrusted()) deliverOnce(id, () => envelopes)
          else envelopes.filter(isEnd).forEach(sockets.deliver)
        },
      }
    },
  }
}

const isEnd = (envelope: Envelope) => envelope.do === 'leaveBoard' || envelope.do === 'closeSession'
