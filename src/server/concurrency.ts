import { Refusal } from './errors'

/** So many at once, of one person and of all together. */
type Places = { each: number; all: number }

/**
 * For what holds memory or connections while it lasts: takes a place for somebody, and answers how to give it back, once.
 * Throws TOO_MANY_REQUESTS.
 */
export function createPlaces({ each, all }: Places, says: string): (userId: number) => () => void {
  const taken = new Map<number, number>()
  let sum = 0
  return (userId) => {
    const own = taken.get(userId) ?? 0
    if (own >= each || sum >= all) throw new Refusal('TOO_MANY_REQUESTS', says, { retryAfter: 5 })
    taken.set(userId, own + 1)
    sum += 1
    let given = false
    return () => {
      if (given) return
      given = true
      sum -= 1
      const left = (taken.get(userId) ?? 1) - 1
      if (left > 0) taken.set(userId, left)
      else taken.delete(userId)
    }
  }
}

/** Work of each person goes on so much at a time; the rest of it waits its turn, and nobody else's does. */
export function createQueues(atOnce: number) {
  const queues = new Map<number, { running: number; waiting: (() => void)[] }>()

  return async function inTurn<T>(userId: number, work: () => Promise<T>): Promise<T> {
    const queue = queues.get(userId) ?? { running: 0, waiting: [] }
    queues.set(userId, queue)
    if (queue.running >= atOnce) await new Promise<void>((resolve) => queue.waiting.push(resolve))
    else queue.running += 1
    try {
      return await work()
    } finally {
      // Whoever waits takes over this place.
      const next = queue.waiting.shift()
      if (next) next()
      else if (--queue.running === 0) queues.delete(userId)
    }
  }
}
