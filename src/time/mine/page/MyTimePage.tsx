import { useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { addDays, dayAt, weekStartOf } from '../../../basics'
import { useMayRead } from '../../../web/live/readAgain'
import { Button } from '../../../web/ui/Button'
import { LoadFailed } from '../../../web/ui/LoadFailed'
import { useFirstWeekday } from '../../../web/week'
import { durationText } from '../../entries/basics'
import { useNow } from '../../entries/page/useNow'
import { PageTitle } from '../../timers/page/PageTitle'
import { AddRow } from './AddRow'
import { groupsOf, minutesOf, weekText } from './cells'
import { Sheet } from './Sheet'
import { SheetSkeleton } from './SheetSkeleton'
import { useMyTime } from './useMyTime'
import { useRows } from './useRows'
import { focusRow } from './useSheetKeys'

const LOOKS_EVERY = 10_000

/** One's time of a week, on all boards, to be filled in like a sheet. */
export function MyTimePage() {
  const { week } = useSearch({ from: '/time' })
  const navigate = useNavigate()
  const today = dayAt(new Date())
  const first = useFirstWeekday()
  const [from, thisWeek] = [weekStartOf(week ?? today, first), weekStartOf(today, first)]
  const days = { from, to: addDays(from, 6) }
  const { data: time, error, isError, refetch } = useMyTime(days)
  const mayRead = useMayRead()
  const now = useNow(time?.entries.some(({ runningSince }) => runningSince) ?? false, LOOKS_EVERY)
  const rows = useRows(from, time)
  const go = (start: string) => void navigate({ to: '/time', search: start === thisWeek ? {} : { week: start } })
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-4 px-4 pt-4 pb-4 sm:px-6 lg:pt-6">
      <PageTitle>My time</PageTitle>
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="font-strong text-title">My time</h1>
        <div className="flex items-center gap-1">
          <Button look="quiet" size="icon" aria-label="The week before" onClick={() => go(addDays(from, -7))}>
            <ChevronLeft className="size-4" aria-hidden />
          </Button>
          <p aria-live="polite" className="tabular min-w-36 text-center">
            {weekText(days)}
          </p>
          <Button look="quiet" size="icon" aria-label="The week after" onClick={() => go(addDays(from, 7))}>
            <ChevronRight className="size-4" aria-hidden />
          </Button>
          {from !== thisWeek && (
            <Button size="small" onClick={() => go(thisWeek)}>
              This week
            </Button>
          )}
        </div>
        {time && (
          <p className="tabular ml-auto font-strong">
            <span className="sr-only">Week: </span>
            {durationText(minutesOf(time.entries, now))}
          </p>
        )}
      </header>
      {time && (
        <Sheet
          key={from}
          from={from}
          today={today}
          groups={groupsOf(time.entries, rows.added)}
          now={now}
          more={time.more}
          addRow={
            <AddRow
              tasks={rows.others}
              onAdd={(task) => {
                rows.add(task.id)
                focusRow(task.id)
              }}
            />
          }
        />
      )}
      {!time && (isError && mayRead ? <LoadFailed retry={() => void refetch()} error={error} /> : <SheetSkeleton />)}
    </div>
  )
}
