export const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Soon in any case: a hidden page is never idle, and Safari lacks requestIdleCallback. */
export const whenIdle = (work: () => void, patienceMs = 1_000) =>
  'requestIdleCallback' in window ? requestIdleCallback(work, { timeout: patienceMs }) : setTimeout(work, patienceMs)

const READ_EVERY_MS = 2_000

/** Runs `work` at once, but never concurrently or twice within `every` milliseconds; calls in between become one more run. */
export function throttled(work: () => Promise<unknown>, every = READ_EVERY_MS): () => void {
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
