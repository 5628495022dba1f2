import { useState } from 'react'
import { addDays, dayAt, utcDay, weekStartOf } from '../../days'
import { useFirstWeekday } from '../../web/settings'
import type { PAGE_SIZES, ReportFilter, Rounding } from '../schema'

type Range = { period: Period } | { period: 'custom'; from: string; to: string }
type Choice = Range & { taskIds: number[]; userIds: number[] }
type PageSize = (typeof PAGE_SIZES)[number]

const ALL: Choice = { period: 'all', taskIds: [], userIds: [] }

export function useLogFilter(taskId?: number) {
  const [choice, setChoice] = useState<Choice>(taskId === undefined ? ALL : { ...ALL, taskIds: [taskId] })
  const [page, setPage] = useState(1)
  const [pageSize, setPageSize] = useState<PageSize>(10)
  const weekday = useFirstWeekday()
  const [rounding, setRounding] = useState<Rounding>(0)
  const days = choice.period === 'custom' ? choice : daysOfPeriod(choice.period, dayAt(new Date()), weekday)
  const filter = filterOf(days, choice)
  const choose = (next: Choice) => {
    setChoice(next)
    setPage(1)
  }
  const { taskIds, userIds } = choice
  return {
    filter,
    period: choice.period,
    page,
    pageSize,
    rounding,
    setRounding,
    isActive: Object.keys(filter).length > 0,
    setPage,
    setPageSize(size: PageSize) {
      setPageSize(size)
      setPage(1)
    },
    choosePeriod: (period: Period) => choose({ period, taskIds, userIds }),
    chooseDays: ({ from = days.from ?? '', to = days.to ?? '' }: { from?: string; to?: string }) =>
      choose({ ...(from || to ? { period: 'custom', from, to } : { period: 'all' }), taskIds, userIds }),
    chooseTasks: (ids: number[]) => choose({ ...choice, taskIds: ids }),
    chooseUsers: (ids: number[]) => choose({ ...choice, userIds: ids }),
    clear: () => choose(ALL),
  }
}

function filterOf({ from, to }: { from?: string; to?: string }, { taskIds, userIds }: Choice): ReportFilter {
  return {
    ...(from && { from }),
    ...(to && { to }),
    ...(taskIds.length > 0 && { taskIds }),
    ...(userIds.length > 0 && { userIds }),
  }
}

export const PERIODS = {
  thisWeek: 'This week',
  lastWeek: 'Last week',
  last7days: 'Last 7 days',
  last30days: 'Last 30 days',
  last90days: 'Last 90 days',
  thisMonth: 'This month',
  lastMonth: 'Last month',
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
  const [year = 0, month = 1] = today.split('-').map(Number)
  const dayOfMonth = (months: number, day: number) => utcDay(new Date(Date.UTC(year, month - 1 + months, day)))
  if (period === 'thisMonth') return { from: dayOfMonth(0, 1), to: dayOfMonth(1, 0) }
  if (period === 'lastMonth') return { from: dayOfMonth(-1, 1), to: dayOfMonth(0, 0) }
  return { from: addDays(today, 1 - LAST[period]), to: today }
}
