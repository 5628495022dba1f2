import { useEffect, useState } from 'react'
import { dateTimeText } from '../../format'

const RELATIVE = new Intl.RelativeTimeFormat('en')

const MINUTE = 60_000
const UNITS = [
  ['year', 365 * 24 * 60 * MINUTE],
  ['month', 30 * 24 * 60 * MINUTE],
  ['week', 7 * 24 * 60 * MINUTE],
  ['day', 24 * 60 * MINUTE],
  ['hour', 60 * MINUTE],
  ['minute', MINUTE],
] as const

/** Clocks differ, so the future counts as now. */
function ago(iso: string, now: number): string {
  const passed = now - Date.parse(iso)
  const [unit, length] = UNITS.find(([, length]) => passed >= length) ?? []
  return unit && length ? RELATIVE.format(-Math.floor(passed / length), unit) : 'just now'
}

/** Hover shows the exact time. */
export function Ago({ at }: { at: string }) {
  const now = useMinutes()
  return (
    <time dateTime={at} title={dateTimeText(at)} className="tabular">
      {ago(at, now)}
    </time>
  )
}

function useMinutes(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE / 2)
    return () => clearInterval(timer)
  }, [])
  return now
}
