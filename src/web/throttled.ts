/** Something is read anew once in so many milliseconds, however much happens to it. */
export const READ_EVERY = 2_000

/**
 * Does its work at once, but not again so soon, nor before it is done: what is asked for meanwhile is done once,
 * afterwards, so that however much is asked for, the work comes to its end.
 */
export function throttled(work: () => Promise<unknown>, every: number): () => void {
  let last = -every
  let waiting = false
  let working: Promise<unknown> = Promise.resolve()
  const start = () => {
    waiting = false
    last = performance.now()
    working = work().catch(() => undefined)
  }
  return () => {
    if (waiting) return
    waiting = true
    void working.then(() => setTimeout(start, Math.max(0, last + every - performance.now())))
  }
}
