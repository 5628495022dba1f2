import { useEffect, useState } from 'react'
import { serverNow } from '../../../web/serverClock'

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
