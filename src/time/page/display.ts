import { useEffect, useState } from 'react'
import { serverNow } from '../../web/serverClock'

const SECOND = 1000

export function clockText(counted: number): string {
  const seconds = Math.floor(counted / SECOND)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

/** "MMM d, yyyy h:mm a" in the viewer's time zone. */
export function momentText(iso: string): string {
  const moment = new Date(iso)
  const day = moment.toLocaleDateString('en-US', { dateStyle: 'medium' })
  return `${day} ${moment.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' })}`
}

/** A moment on another day at the same time of day, in the viewer's time zone. */
export function onDay(day: string, time: Date): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date, time.getHours(), time.getMinutes(), time.getSeconds(), time.getMilliseconds())
}

/** A format is only made where the browser has no Temporal: the first one takes a phone 50 ms. */
export const ownZone = (): string => globalThis.Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone

/** How often to look at the time where whole minutes show. */
export const TEN_SECONDS = 10 * SECOND

/** The server's time in full seconds, so that all places agree; while something is `running` it changes `every` so often. */
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
