import type { Envelope } from './relay'

export type Outbox = ReturnType<ReturnType<typeof createOutboxes>>

/** Collects what transactions have to tell. `send` gets it after their commits. */
export function createOutboxes(send: (envelopes: Envelope[]) => void) {
  /** For each board, the end of the last transaction that raised its version. */
  const turns = new Map<number, Promise<void>>()

  return () => {
    const envelopes: Envelope[] = []
    const { promise: told, resolve } = Promise.withResolvers<void>()
    const earlier = new Map<number, Promise<void> | undefined>()

    return {
      push: (envelope: Envelope) => void envelopes.push(envelope),

      /**
       * Takes the next turn of a board, whose lock the transaction holds. Answers to two commits can reach this
       * process in either order; by their turns, a board's messages leave in the order of its versions.
       */
      lineUp(boardId: number) {
        if (earlier.has(boardId)) return
        earlier.set(boardId, turns.get(boardId))
        turns.set(boardId, told)
      },

      /** Sends everything, after the commit. */
      async leave() {
        await Promise.all(earlier.values())
        send(envelopes)
      },

      /** Ends the turn, after a commit or without one. */
      end() {
        resolve()
        for (const boardId of earlier.keys()) if (turns.get(boardId) === told) turns.delete(boardId)
      },
    }
  }
}
