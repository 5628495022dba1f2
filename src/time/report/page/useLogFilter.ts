import { useState } from 'react'
import { dayAt } from '../../../basics'
import { useFirstWeekday } from '../../../web/week'
import type { Rounding } from '../../rates/schema'
import type { PAGE_SIZES, ReportFilter } from '../schema'
import { daysOfPeriod, type Period } from './periods'

type Range = { period: Period } | { period: 'custom'; from: string; to: string }
type Choice = Range & { taskIds: number[]; userIds: number[] }
type PageSize = (typeof PAGE_SIZES)[number]

const ALL: Choice = { period: 'all', taskIds: [], userIds: [] }

export function useLogFilter() {
  const [choice, setChoice] = useState<Choice>(ALL)
  const [page, setPage] = useState(1)
  const [pageSize, setPageSize] = useState<PageSize>(10)
  const weekday = useFirstWeekday()
  const [rounding, setRounding] = useState<Rounding>(0)
  const days = choice.period === 'custom' ? choice : daysOfPeriod(choice.period, dayAt(new Date()), weekday)
  const filter = filterOf(days, choice)
  const take = (next: Choice) => {
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
    choosePeriod: (period: Period) => take({ period, taskIds, userIds }),
    chooseDays: ({ from = days.from ?? '', to = days.to ?? '' }: { from?: string; to?: string }) =>
      take({ ...(from || to ? { period: 'custom', from, to } : { period: 'all' }), taskIds, userIds }),
    chooseTasks: (ids: number[]) => take({ ...choice, taskIds: ids }),
    chooseUsers: (ids: number[]) => take({ ...choice, userIds: ids }),
    clear: () => take(ALL),
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
