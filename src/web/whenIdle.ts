/** Soon in any case: a hidden page is never idle, and Safari has no requestIdleCallback. */
export const whenIdle = (work: () => void, patienceMs = 1_000) =>
  'requestIdleCallback' in window ? requestIdleCallback(work, { timeout: patienceMs }) : setTimeout(work, patienceMs)
