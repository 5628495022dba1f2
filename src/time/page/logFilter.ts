import { useState } from 'react'
import { addDays, dayAt, utcDay, weekStartOf } from '../../days'
import { useFirstWeekday } from '../../web/settings'
import type { ReportFilter, ReportPage } from '../schema'

/** `from` and `to` are of a `custom` period; an empty day sets no bound. */
type Choice = Pick<ReportPage, 'page' | 'pageSize' | 'rounding'> &
  Record<'taskIds' | 'userIds', number[]> & { period: Period | 'custom'; from: string; to: string }

const ALL: Omit<Choice, 'page' | 'pageSize' | 'rounding'> = { period: 'all', from: '', to: '', taskIds: [], userIds: [] }

/** What the time logs show; changing it returns to the first page. */
export function useLogFilter(taskId?: number) {
  const taskIdsAtFirst = taskId === undefined ? [] : [taskId]
  const [choice, setChoice] = useState<Choice>({ ...ALL, taskIds: taskIdsAtFirst, page: 1, pageSize: 10, rounding: 0 })
  const weekday = useFirstWeekday()
  const { period, taskIds, userIds } = choice
  const { from = '', to = '' } = period === 'custom' ? choice : daysOfPeriod(period, dayAt(new Date()), weekday)
  const filter: ReportFilter = {
    ...(from && { from }),
    ...(to && { to }),
    ...(taskIds.length > 0 && { taskIds }),
    ...(userIds.length > 0 && { userIds }),
  }
  const choose = (changes: Partial<Choice>) => setChoice({ ...choice, page: 1, ...changes })
  return {
    ...choice,
    filter,
    isActive: Object.keys(filter).length > 0,
    choose,
    chooseDays(changes: { from?: string; to?: string }) {
      const days = { from, to, ...changes }
      choose({ ...days, period: days.from || days.to ? 'custom' : 'all' })
    },
    clear: () => choose(ALL),
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
