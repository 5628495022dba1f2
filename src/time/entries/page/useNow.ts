import { useEffect, useState } from 'react'

/** How far the server's clock is ahead of this machine's, in milliseconds. */
let ahead = 0

/** `heardAt` is this machine's time at which the server's clock said `iso`. */
export function syncClock(iso: string, heardAt: number): void {
  ahead = Date.parse(iso) - heardAt
}

/** Timers go by the server's clock, for a machine's own may be wrong. */
export const serverNow = (): number => Date.now() + ahead

const TICK = 1000

/** The server's time, updated each second, or as often as asked for, while something is `running`. */
export function useNow(running: boolean, every = TICK): number {
  const [, tick] = useState(0)
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => tick((ticks) => ticks + 1), every)
    return () => clearInterval(timer)
  }, [running, every])
  return serverNow()
}
