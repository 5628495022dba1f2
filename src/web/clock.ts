import { useEffect, useState, useSyncExternalStore } from 'react'
import { dayAt } from '../days'

/** How far the server's clock is ahead of this machine's, in milliseconds. */
let ahead: number | undefined

/** `heardAt` is this machine's time when the server's clock read `iso`. */
export function syncClock(iso: string, heardAt: number): void {
  ahead = Date.parse(iso) - heardAt
}

/** Timers use the server's clock, because a machine's own may be wrong. */
export const serverNow = (): number => Date.now() + (ahead ?? 0)

export const isClockKnown = (): boolean => ahead !== undefined

const SECOND = 1000

export function clockText(counted: number): string {
  const seconds = Math.floor(counted / SECOND)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

/** Creates a format only if the browser lacks Temporal: the first one takes a phone 50 ms. */
export function ownZone(): string {
  const zone = globalThis.Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  return zone === UNKNOWN_ZONE ? 'UTC' : zone
}

/** What browsers say if the system does not name its zone. The server refuses it. */
const UNKNOWN_ZONE = 'Etc/Unknown'

/** Often enough for whole minutes. */
export const TEN_SECONDS = 10 * SECOND

const today = () => dayAt(new Date())

function everyMinute(look: () => void) {
  const timer = setInterval(look, 60 * SECOND)
  return () => clearInterval(timer)
}

/** The viewer's calendar day; rerenders when the next one begins. */
export const useDay = (): string => useSyncExternalStore(everyMinute, today, today)

/** The server's time in full seconds, the same everywhere on the page. Advances by `every` while something is `running`. */
export function useNow(running: boolean, every = SECOND): number {
  const [, tick] = useState(0)
  useEffect(() => {
    if (!running) return
    let timer: ReturnType<typeof setTimeout>
    const wait = () => {
      timer = setTimeout(update, every - (serverNow() % every))
    }
    const update = () => {
      tick((ticks) => ticks + 1)
      wait()
    }
    wait()
    return () => clearTimeout(timer)
  }, [running, every])
  const now = serverNow()
  return now - (now % SECOND)
}
