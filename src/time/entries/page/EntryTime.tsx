import { elapsedMs, wholeMinutes } from '../../timers/schema'
import { durationText, type TimeEntry } from '../schema'
import { clockText } from './display'
import { useNow } from './useNow'

export function EntryTime({ entry }: { entry: TimeEntry }) {
  const running = entry.status === 'ACTIVE'
  const now = useNow(running)
  if (!running && entry.status !== 'PAUSED') return durationText(entry.duration)
  return `${running ? 'Active' : 'Paused'}: ${clockText(elapsedMs(entry, now))}`
}

export const NotBillable = () => <span className="shrink-0 text-quiet text-small">Not billable</span>

export function TotalTime({ minutes, entries }: { minutes: number; entries: TimeEntry[] }) {
  const running = entries.filter(({ status }) => status === 'ACTIVE')
  const now = useNow(running.length > 0)
  const counting = running.reduce((sum, entry) => sum + wholeMinutes(elapsedMs(entry, now)), 0)
  return durationText(minutes + counting)
}
