import { countedBy, durationText, type TimeEntry, wholeMinutes } from '../schema'
import { clockText } from './display'
import { useNow } from './useNow'

/** ACTIVE as "Active: time", PAUSED as "Paused: time", otherwise plain duration (board-page.md, section 4). */
export function EntryTime({ entry }: { entry: TimeEntry }) {
  const running = entry.status === 'ACTIVE'
  const now = useNow(running)
  if (!running && entry.status !== 'PAUSED') return durationText(entry.duration)
  return `${running ? 'Active' : 'Paused'}: ${clockText(countedBy(entry, now))}`
}

/** Said of what is not; that work is billable goes without saying. */
export const NotBillable = () => <span className="shrink-0 text-quiet text-small">Not billable</span>

/** What several entries come to: the minutes that are logged, and what is counted at this moment. */
export function TotalTime({ minutes, entries }: { minutes: number; entries: TimeEntry[] }) {
  const running = entries.filter(({ status }) => status === 'ACTIVE')
  const now = useNow(running.length > 0)
  const counting = running.reduce((sum, entry) => sum + wholeMinutes(countedBy(entry, now)), 0)
  return durationText(minutes + counting)
}
