import type { Envelope } from './relay'

export type MessageOutbox = ReturnType<ReturnType<typeof createMessageOutboxes>>

export function createMessageOutboxes(deliver: (envelopes: Envelope[]) => void) {
  /** By board: the end of the last transaction that raised its version. */
  const lastOf = new Map<number, Promise<void>>()

  return () => {
    const envelopes: Envelope[] = []
    const { promise: sent, resolve } = Promise.withResolvers<void>()
    const earlier = new Map<number, Promise<void> | undefined>()

    return {
      push: (envelope: Envelope) => void envelopes.push(envelope),

      /** Under the board's lock: commits can be acknowledged out of order, messages must leave in the order of versions. */
      queueFor(boardId: number) {
        if (earlier.has(boardId)) return
        earlier.set(boardId, lastOf.get(boardId))
        lastOf.set(boardId, sent)
      },

      async send() {
        await Promise.all(earlier.values())
        deliver(envelopes)
      },

      /** Nobody knows whether it was stored: whoever is to hear nothing more must not go on, and the others read again. */
      sendInDoubt() {
        if (envelopes.length === 0) return
        const ends = envelopes.filter((one) => one.do === 'leaveBoard' || one.do === 'closeSession')
        deliver([...ends, { do: 'reconnect' }])
      },

      end() {
        resolve()
        for (const boardId of earlier.keys()) if (lastOf.get(boardId) === sent) lastOf.delete(boardId)
      },
    }
  }
}
