import { addDays, mondayOf } from '../../../basics'

const WEEKDAYS = 7

/** The first day of a unit, and the step to the next. Weeks begin on Monday. */
const UNITS = {
  day: { startOf: (day: string) => day, after: (start: string) => addDays(start, 1) },
  week: {
    startOf: mondayOf,
    after: (start: string) => addDays(start, WEEKDAYS),
  },
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

/** Of each day, or week, month or year where there would be too many bars; empty ones too, unless far beyond the work. */
export function barsOf(days: Days, { from, to }: { from?: string; to?: string } = {}): { unit: Unit; bars: Bar[] } {
  const sorted = days.toSorted((a, b) => (a.day < b.day ? -1 : 1))
  const [first, last] = [sorted[0]?.day, sorted.at(-1)?.day]
  if (!first || !last) return { unit: 'day', bars: [] }
  const asked = barsBetween(sorted, from ?? first, to && to > LATEST ? LATEST : (to ?? last))
  return asked.bars.length <= BARS ? asked : barsBetween(sorted, first, last)
}

function barsBetween(sorted: Days, first: string, last: string): { unit: Unit; bars: Bar[] } {
  for (const unit of ['day', 'week', 'month'] as const) {
    const bars = emptyBars(unit, first, last, BARS + 1)
    if (bars.length <= BARS) return { unit, bars: filled(unit, bars, sorted) }
  }
  return { unit: 'year', bars: filled('year', emptyBars('year', first, last), sorted) }
}

function emptyBars(unit: Unit, first: string, last: string, most = Number.POSITIVE_INFINITY): Bar[] {
  const bars: Bar[] = []
  for (let start = UNITS[unit].startOf(first); start <= last && bars.length < most; start = UNITS[unit].after(start))
    bars.push({ start, minutes: 0 })
  return bars
}

function filled(unit: Unit, bars: Bar[], days: readonly { day: string; minutes: number }[]): Bar[] {
  const sums = new Map<string, number>()
  for (const { day, minutes } of days) {
    const start = UNITS[unit].startOf(day)
    sums.set(start, (sums.get(start) ?? 0) + minutes)
  }
  return bars.map(({ start }) => ({ start, minutes: sums.get(start) ?? 0 }))
}
