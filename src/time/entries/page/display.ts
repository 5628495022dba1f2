import { once } from '../../../schema'
import { CURRENCY } from '../../rates/schema'
import type { TimeEntry } from '../schema'

const amountFormat = once(() => new Intl.NumberFormat('en-US', { style: 'currency', currency: CURRENCY }))

export const amountText = (cents: number): string => amountFormat().format(cents / 100)

const SECOND = 1000

export function clockText(counted: number): string {
  const seconds = Math.floor(counted / SECOND)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

/** Text that is empty or no number counts as 0; a negative number is no duration. */
export function parseMinutes(typed: { hours: string; minutes: string }): number {
  const [hours, minutes] = [numberIn(typed.hours), numberIn(typed.minutes)]
  return hours < 0 || minutes < 0 ? 0 : Math.round(hours * 60 + minutes)
}

function numberIn(text: string): number {
  const number = Number(text)
  return Number.isFinite(number) ? number : 0
}

const CHOICES = 100

/** The options whose label contains a text; `more` where there are others. */
export function choicesIn<T extends { label: string }>(options: T[], text: string): { shown: T[]; more: boolean } {
  const found = options.filter(({ label }) => label.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase()))
  return { shown: found.slice(0, CHOICES), more: found.length > CHOICES }
}

/** Longer lists have a search field. */
export const SEARCHED_ABOVE = 8
export const MORE_CHOICES = `Only the first ${CHOICES} are shown: type to find others.`

export const fieldsOf = (minutes: number) => ({ hours: String(Math.floor(minutes / 60)), minutes: String(minutes % 60) })

/** "MMM d, yyyy h:mm a" in the viewer's time zone. */
export function momentText(iso: string): string {
  const moment = new Date(iso)
  const day = moment.toLocaleDateString('en-US', { dateStyle: 'medium' })
  return `${day} ${moment.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' })}`
}

const utc = (day: string) => new Date(`${day}T00:00:00Z`)
const dayIn = (moment: Date) => moment.toISOString().slice(0, 10)

/** In UTC, so that no change of clocks shifts the day. */
function addDays(day: string, days: number): string {
  const moment = utc(day)
  moment.setUTCDate(moment.getUTCDate() + days)
  return dayIn(moment)
}

/** A moment on another day at the same time of day, in the viewer's time zone. */
export function onDay(day: string, time: Date): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date, time.getHours(), time.getMinutes(), time.getSeconds(), time.getMilliseconds())
}

/** The default is the last. */
export const PERIODS = {
  last7days: 'Last 7 days',
  last30days: 'Last 30 days',
  last90days: 'Last 90 days',
  thisMonth: 'This month',
  all: 'All time',
} as const
export type Period = keyof typeof PERIODS

const LAST = { last7days: 7, last30days: 30, last90days: 90 } as const

/** `today` is the viewer's, and the last day of each period. */
export function daysOfPeriod(period: Period, today: string): { from?: string; to?: string } {
  if (period === 'all') return {}
  if (period !== 'thisMonth') return { from: addDays(today, 1 - LAST[period]), to: today }
  const from = `${today.slice(0, 7)}-01`
  const [year = 0, month = 1] = today.split('-').map(Number)
  return { from, to: dayIn(new Date(Date.UTC(year, month, 0))) }
}

const ALL_PAGES = 7

/** The first page, the last, those around the current one, and gaps between. */
export function pagesAround(page: number, pages: number): (number | 'gap')[] {
  if (pages <= ALL_PAGES) return range(1, pages)
  // Always the same number of places, so that nothing moves under the pointer.
  if (page <= 4) return [...range(1, 5), 'gap', pages]
  if (page >= pages - 3) return [1, 'gap', ...range(pages - 4, pages)]
  return [1, 'gap', ...range(page - 1, page + 1), 'gap', pages]
}

const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, nth) => from + nth)

const STRIP = 3

/** Falls back to the last page where the wanted one is gone. */
export function stripPage<T>(entries: T[], wanted: number): { shown: T[]; page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(entries.length / STRIP))
  const page = Math.min(wanted, pages)
  return { shown: entries.slice((page - 1) * STRIP, page * STRIP), page, pages }
}

/** The running timer first, then the youngest. */
export const inOrder = <T extends Pick<TimeEntry, 'id' | 'status'>>(timers: T[]): T[] =>
  timers.toSorted((a, b) => Number(b.status === 'ACTIVE') - Number(a.status === 'ACTIVE') || b.id - a.id)

/** As IANA names it. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

const WEEKDAYS = 7

/** The first day of a unit, and the step to the next. Weeks begin on Monday. */
const UNITS = {
  day: { startOf: (day: string) => day, after: (start: string) => addDays(start, 1) },
  week: {
    startOf: (day: string) => addDays(day, -((utc(day).getUTCDay() + WEEKDAYS - 1) % WEEKDAYS)),
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

/**
 * The minutes of each day, or of each week, month or year where days would be too many bars. Includes empty ones, from the
 * first day of the filter to the last, unless that is far beyond the work.
 */
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
