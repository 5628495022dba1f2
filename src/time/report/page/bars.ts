import { addDays, weekStartOf } from '../../../basics'

/** The first day of a unit, and the step to the next; `first` is the weekday on which weeks start. */
const UNITS = {
  day: { startOf: (day: string) => day, after: (start: string) => addDays(start, 1) },
  week: { startOf: weekStartOf, after: (start: string) => addDays(start, 7) },
  month: { startOf: (day: string) => `${day.slice(0, 7)}-01`, after: (start: string) => `${addDays(start, 31).slice(0, 7)}-01` },
  year: {
    startOf: (day: string) => `${day.slice(0, 4)}-01-01`,
    after: (start: string) => `${addDays(start, 366).slice(0, 4)}-01-01`,
  },
} as const
type Unit = keyof typeof UNITS
export type Bar = { start: string; minutes: number }

const BARS = 62

const LATEST = '3000-12-31'

type Days = readonly { day: string; minutes: number }[]

/**
 * Of each day, or week, month or year where there would be too many bars; empty ones too, unless far beyond the work.
 * `weekday` is the one on which weeks start.
 */
export function barsOf(days: Days, { from, to }: { from?: string; to?: string } = {}, weekday = 0): { unit: Unit; bars: Bar[] } {
  const sorted = days.toSorted((a, b) => (a.day < b.day ? -1 : 1))
  const [first, last] = [sorted[0]?.day, sorted.at(-1)?.day]
  if (!first || !last) return { unit: 'day', bars: [] }
  const asked = barsBetween(sorted, from ?? first, to && to > LATEST ? LATEST : (to ?? last), weekday)
  return asked.bars.length <= BARS ? asked : barsBetween(sorted, first, last, weekday)
}

function barsBetween(sorted: Days, first: string, last: string, weekday: number): { unit: Unit; bars: Bar[] } {
  for (const unit of ['day', 'week', 'month', 'year'] as const) {
    const startOf = (day: string) => UNITS[unit].startOf(day, weekday)
    const starts: string[] = []
    const most = unit === 'year' ? Number.POSITIVE_INFINITY : BARS + 1
    for (let start = startOf(first); start <= last && starts.length < most; start = UNITS[unit].after(start)) starts.push(start)
    if (starts.length < most) return { unit, bars: filled(starts, sorted, startOf) }
  }
  return { unit: 'year', bars: [] }
}

function filled(starts: string[], days: Days, startOf: (day: string) => string): Bar[] {
  const sums = new Map<string, number>()
  for (const { day, minutes } of days) sums.set(startOf(day), (sums.get(startOf(day)) ?? 0) + minutes)
  return starts.map((start) => ({ start, minutes: sums.get(start) ?? 0 }))
}
