import { DatabaseUnavailable } from '../../db/failures'

const STUCK_AFTER_MS = 1_000
const FORGOTTEN_AFTER_MS = 1_000

type Wait = { count: number; since: number }

/** By board: how many wait for its lock here, and since when nobody got it. */
const waits = new Map<number, Wait>()

/**
 * Whoever waits for a lock holds a connection. While another process does not let go of a board, one at a time tries, shortly,
 * and the rest are refused, so that other boards go on. Throws DatabaseUnavailable.
 */
export async function waitForBoards<T>(boardIds: number[], lock: (isStuck: boolean) => Promise<T>): Promise<T> {
  const given = boardIds.map((id) => ({ id, wait: waits.get(id) ?? { count: 0, since: performance.now() } }))
  const stuck = given.filter(({ wait }) => performance.now() - wait.since > STUCK_AFTER_MS)
  if (stuck.some(({ wait }) => wait.count > 0)) throw new DatabaseUnavailable('a board is locked by another process')
  for (const { id, wait } of given) {
    waits.set(id, wait)
    wait.count += 1
  }
  let isLocked = false
  try {
    const result = await lock(stuck.length > 0)
    isLocked = true
    return result
  } finally {
    for (const { id, wait } of given) {
      wait.count -= 1
      if (isLocked) wait.since = performance.now()
      if (wait.count === 0) forget(id, wait, isLocked ? 0 : FORGOTTEN_AFTER_MS)
    }
  }
}

/** Whoever failed may try again at once, and is then not the first to wait. */
function forget(id: number, wait: Wait, after: number) {
  if (after > 0) setTimeout(() => wait.count === 0 && waits.get(id) === wait && waits.delete(id), after).unref()
  else if (waits.get(id) === wait) waits.delete(id)
}
