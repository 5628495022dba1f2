import Play from 'lucide-react/icons/play'
import Plus from 'lucide-react/icons/plus'
import { useRef, useState } from 'react'
import { useBoardView } from '../../boards/page/cache'
import type { Board } from '../../boards/schema'
import { dayAt } from '../../days'
import type { Task } from '../../tasks/schema'
import { useViewer } from '../../users/page/viewer'
import { summaryOf } from '../../users/schema'
import { ownZone } from '../../web/clock'
import { stableKey } from '../../web/live/temporaryIds'
import { Button } from '../../web/ui/Button'
import { TryAgain } from '../../web/ui/Failure'
import { useDraft } from '../../web/useDraft'
import { LOADING_FAILED } from '../limits'
import { startTimer, useAddTime } from './cache'
import { EntryStrip, TotalTime } from './EntryStrip'
import { useTimeEntries } from './entriesCache'
import { openTimeLogs } from './OpenTimeLogs'
import { inOrder } from './reducers'
import { onDay, TimeForm, usePreloadedTimeFields, useTimeForm } from './TimeForm'
import { TimerButtons } from './TimerButtons'
import { useKnownTimers } from './timersCache'

type Props = { board: Board; task: Task; locked: boolean }

export function TaskTime({ board, task, locked }: Props) {
  const { entries, more, error, isError, isFetching, retry } = useTimeEntries(board.id, task.id)
  const isTimed = useBoardView(board.id)?.timers.some(({ taskId }) => taskId === task.id)
  const heading = useRef<HTMLHeadingElement>(null)
  usePreloadedTimeFields()
  const toHeading = () => heading.current?.focus()
  return (
    <section aria-labelledby="time" className="flex flex-col gap-2">
      <div className="flex items-baseline justify-between gap-2">
        <h3 id="time" ref={heading} tabIndex={-1} className="font-strong focus:outline-none">
          Time tracking
        </h3>
        <p className="tabular">
          <span className="sr-only">Total: </span>
          <TotalTime minutes={task.minutes} entries={entries ?? []} />
        </p>
      </div>
      <Actions task={task} locked={locked} onGone={toHeading} />
      {entries && entries.length > 0 && (
        <div className="pt-2 lg:low:pt-0">
          <EntryStrip
            board={board}
            entries={entries}
            more={more}
            locked={locked}
            onAll={() => openTimeLogs(task.id)}
            onDeleted={toHeading}
          />
        </div>
      )}
      {!entries && !isError && (task.minutes > 0 || isTimed) && <Loading />}
      {!entries && isError && (
        <TryAgain busy={isFetching} retry={retry} error={error} className="text-small">
          {LOADING_FAILED}.
        </TryAgain>
      )}
    </section>
  )
}

function Actions({ task, locked, onGone }: Omit<Props, 'board'> & { onGone(): void }) {
  const [adding, setAdding] = useState(false)
  const timers = useKnownTimers()
  const own = inOrder(timers ?? []).find(({ taskId }) => taskId === task.id)
  return (
    <div className="flex flex-wrap gap-2 empty:hidden">
      {own ? (
        <TimerButtons key={stableKey('entry', own.id)} timer={own} onGone={onGone} />
      ) : (
        timers &&
        !locked && (
          <Button size="small" data-ignore-second-press onClick={() => void startTimer(task)}>
            <Play className="size-3.5" aria-hidden />
            Start timer
          </Button>
        )
      )}
      {!locked && (
        <Button size="small" onClick={() => setAdding(true)}>
          <Plus className="size-3.5" aria-hidden />
          Add Time Entry
        </Button>
      )}
      {adding && <AddTime task={task} onClose={() => setAdding(false)} />}
    </div>
  )
}

const Loading = () => (
  <div role="status" className="flex min-h-51 flex-col text-small">
    <p>Loading Time Entries</p>
    <p className="text-quiet">Fetching your time tracking data...</p>
    <span className="skeleton-people mt-2 flex-1 [--row:3.25rem]" />
  </div>
)

const EMPTY = { hours: '1', minutes: '0', note: '', notify: true, billable: true }

function AddTime({ task, onClose }: { task: Task; onClose(): void }) {
  const user = summaryOf(useViewer())
  const addition = useAddTime(task.boardId)
  const draft = useDraft(`time-${task.id}`, { ...EMPTY, day: dayAt(new Date()) })
  const form = useTimeForm(draft, {
    onClose,
    send({ day, note, notify, billable }, duration) {
      const startTime = onDay(day, new Date()).toISOString()
      return addition.run({ task, user, given: { startTime, duration, note, billable, timeZone: ownZone(), notify } })
    },
  })
  const shared = { form, busy: addition.isPending, onClose }
  return <TimeForm title="Add Time Entry" description={task.title} action="Add Time Entry" {...shared} />
}
