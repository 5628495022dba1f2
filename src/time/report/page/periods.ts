import { addDays, utcDay, weekStartOf } from '../../../basics'

/** The default is the last. */
export const PERIODS = {
  thisWeek: 'This week',
  lastWeek: 'Last week',
  last7days: 'Last 7 days',
  last30days: 'Last 30 days',
  last90days: 'Last 90 days',
  thisMonth: 'This month',
  all: 'All time',
} as const
export type Period = keyof typeof PERIODS

const LAST = { last7days: 7, last30days: 30, last90days: 90 } as const

/** `today` is the viewer's; `weekday` the one on which their weeks start. */
export function daysOfPeriod(period: Period, today: string, weekday: number): { from?: string; to?: string } {
  if (period === 'all') return {}
  if (period === 'thisWeek' || period === 'lastWeek') {
    const from = addDays(weekStartOf(today, weekday), period === 'thisWeek' ? 0 : -7)
    return { from, to: addDays(from, 6) }
  }
  if (period !== 'thisMonth') return { from: addDays(today, 1 - LAST[period]), to: today }
  const from = `${today.slice(0, 7)}-01`
  const [year = 0, month = 1] = today.split('-').map(Number)
  return { from, to: utcDay(new Date(Date.UTC(year, month, 0))) }
}
