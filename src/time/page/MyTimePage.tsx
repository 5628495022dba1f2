import { useNavigate, useSearch } from '@tanstack/react-router'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { addDays, dayAt, weekStartOf } from '../../days'
import { TEN_SECONDS, useNow } from '../../web/clock'
import { useMayRead } from '../../web/live/rereads'
import { useFirstWeekday } from '../../web/settings'
import { Button } from '../../web/ui/Button'
import { LoadFailed } from '../../web/ui/Failure'
import { clockOf } from '../limits'
import { AddTask } from './AddTask'
import { PageTitle } from './HeaderTimer'
import { groupsOf, minutesOf, useMyTime, useRows, weekText } from './myTimeCache'
import { focusRow, Sheet } from './Sheet'
import { usePreloadedTimeFields } from './TimeForm'

/** The viewer's week on all boards, filled in like a spreadsheet. */
export function MyTimePage() {
  const { week } = useSearch({ from: '/time' })
  const navigate = useNavigate()
  const today = dayAt(new Date())
  const first = useFirstWeekday()
  const [from, thisWeek] = [weekStartOf(week ?? today, first), weekStartOf(today, first)]
  const days = { from, to: addDays(from, 6) }
  const { data: time, error, isError, refetch } = useMyTime(days)
  const mayRead = useMayRead()
  const now = useNow(time?.entries.some(({ runningSince }) => runningSince) ?? false, TEN_SECONDS)
  const rows = useRows(from, time)
  usePreloadedTimeFields()
  const go = (start: string) => void navigate({ to: '/time', search: start === thisWeek ? {} : { week: start } })
  return (
    <div className="dense mx-auto flex min-h-0 w-full max-w-296 flex-1 flex-col gap-4 px-4 pt-3 pb-4 short:overflow-y-auto md:px-6 lg:pt-4 *:max-w-240">
      <PageTitle>My time</PageTitle>
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="font-strong">My time</h1>
        <div className="flex items-center gap-1 max-md:order-last max-md:-ml-overhang max-md:basis-full">
          <Button look="quiet" size="icon" aria-label="Previous week" onClick={() => go(addDays(from, -7))}>
            <ChevronLeft className="size-4" aria-hidden />
          </Button>
          <p aria-live="polite" className="tabular min-w-36 text-center">
            {weekText(days)}
          </p>
          <Button look="quiet" size="icon" aria-label="Next week" onClick={() => go(addDays(from, 7))}>
            <ChevronRight className="size-4" aria-hidden />
          </Button>
          {from !== thisWeek && (
            <Button size="small" onClick={() => go(thisWeek)}>
              This week
            </Button>
          )}
        </div>
        {/* On wider pages the table has it. */}
        {time && (
          <p className="tabular ml-auto font-strong md:hidden">
            <span className="font-normal text-quiet">Week </span>
            {clockOf(minutesOf(time.entries, now))}
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
          addTask={
            <AddTask
              likely={rows.others}
              isOpen={rows.isOpen}
              onAdd={(task) => {
                rows.add(task)
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

const ROWS = ['w-40', 'w-56', 'w-32', 'w-48', 'w-36']

const SheetSkeleton = () => (
  <div role="status" aria-label="Loading your time" className="flex flex-col gap-3 pt-10">
    {ROWS.map((width) => (
      <div key={width} className={`h-4 animate-pulse rounded-card bg-edge/30 ${width}`} />
    ))}
  </div>
)
