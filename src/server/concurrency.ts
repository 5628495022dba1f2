import { setImmediate } from 'node:timers/promises'
import { Refusal } from './errors'

type Capacity = { perUser: number; total: number }

/** Acquires a place for a user; returns an idempotent release. Throws TOO_MANY_REQUESTS with `message`. */
export function createSemaphore({ perUser, total }: Capacity, message: string): (userId: number) => () => void {
  const holders = new Map<number, number>()
  let sum = 0
  return (userId) => {
    const own = holders.get(userId) ?? 0
    if (own >= perUser || sum >= total) throw new Refusal('TOO_MANY_REQUESTS', message, { retryAfter: 5 })
    holders.set(userId, own + 1)
    sum += 1
    let released = false
    return () => {
      if (released) return
      released = true
      sum -= 1
      const left = (holders.get(userId) ?? 1) - 1
      if (left > 0) holders.set(userId, left)
      else holders.delete(userId)
    }
  }
}

export function createUserQueues(concurrency: number) {
  const queues = new Map<number | string, { running: number; waiting: (() => void)[] }>()

  return async function enqueue<T>(key: number | string, job: () => Promise<T>): Promise<T> {
    const queue = queues.get(key) ?? { running: 0, waiting: [] }
    queues.set(key, queue)
    if (queue.running < concurrency) queue.running += 1
    else {
      await new Promise<void>((resolve) => queue.waiting.push(resolve))
      // The embedded database answers without yielding: a long queue would block everyone else.
      await setImmediate()
    }
    try {
      return await job()
    } finally {
      const next = queue.waiting.shift()
      if (next) next()
      else if (--queue.running === 0) queues.delete(key)
    }
  }
}
