import { useEffect, useState } from 'react'

/** By how much the server's clock is ahead of this machine's, in milliseconds. */
let ahead = 0

/** Learns the server's clock from what it said, and the moment at which it said so by this machine's. */
export function syncClock(iso: string, heardAt: number): void {
  ahead = Date.parse(iso) - heardAt
}

/** This moment by the server's clock, which timers go by: a machine's own may be wrong. */
export const serverNow = (): number => Date.now() + ahead

const TICK = 1000

/** This moment by the server's clock, each second anew while something is `running`. */
export function useNow(running: boolean): number {
  const [, tick] = useState(0)
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => tick((ticks) => ticks + 1), TICK)
    return () => clearInterval(timer)
  }, [running])
  return serverNow()
}
