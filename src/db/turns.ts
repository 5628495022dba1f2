import { setImmediate } from 'node:timers/promises'
import type { PGlite } from '@electric-sql/pglite'

const TURN_EVERY_MS = 2

/** The embedded database answers in microtasks: without a turn in between, a row of queries keeps everything else waiting. */
export function letOthersIn(client: PGlite): void {
  const runAlone = client._runExclusiveTransaction.bind(client)
  let lastTurn = performance.now()
  // Within the lock, or all that wait for it would have their turns at once.
  client._runExclusiveTransaction = (work) =>
    runAlone(async () => {
      if (performance.now() - lastTurn > TURN_EVERY_MS) {
        await setImmediate()
        lastTurn = performance.now()
      }
      return work()
    })
}
