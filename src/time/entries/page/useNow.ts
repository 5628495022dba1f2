import { useEffect, useState } from 'react'
import { serverNow } from '../../../web/serverClock'

const TICK = 1000

/** The server's time, in full seconds, so that all who show it say the same; new each second, or as often as asked for, while something is `running`. */
export function useNow(running: boolean, every = TICK): number {
  const [, tick] = useState(0)
  useEffect(() => {
    if (!running) return
    let timer: ReturnType<typeof setTimeout>
    const wait = () => {
      timer = setTimeout(look, every - (serverNow() % every))
    }
    const look = () => {
      tick((ticks) => ticks + 1)
      wait()
    }
    wait()
    return () => clearTimeout(timer)
  }, [running, every])
  const now = serverNow()
  return now - (now % TICK)
}
