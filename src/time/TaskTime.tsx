import { Play, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { useViewer } from '../auth/cache'
import type { Board } from '../boards/inputs'
import type { Task } from '../tasks/inputs'
import { Button } from '../web/ui/Button'
import { AddTime } from './AddTime'
import { useStartTimer } from './cache'
import { inOrder, ownZone } from './display'
import { EntryStrip } from './EntryStrip'
import { TotalTime } from './EntryTime'
import type { TimeEntry } from './inputs'
import { TimerButtons } from './TimerButtons'
import { useTimeEntries } from './useTimeEntries'

type Props = { board: Board; task: Task; locked: boolean }

/** A task's time: its total, one's own timer on it, and the entries of everyone. */
export function TaskTime({ board, task, locked }: Props) {
  const { entries, isError, isFetching, retry } = useTimeEntries(board.id, task.id)
  const heading = useRef<HTMLHeadingElement>(null)
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
      <Actions board={board} task={task} locked={locked} entries={entries ?? []} />
      {entries && entries.length > 0 && (
        <EntryStrip boardId={board.id} entries={entries} locked={locked} onDeleted={() => heading.current?.focus()} />
      )}
      {!entries && !isError && <Loading />}
      {!entries && isError && (
        <p role="alert" className="flex flex-wrap items-center gap-2 text-quiet text-small">
          Error loading time entries
          <Button size="small" busy={isFetching} onClick={retry}>
            Try again
          </Button>
        </p>
      )}
    </section>
  )
}

function Actions({ board, task, locked, entries }: Props & { entries: TimeEntry[] }) {
  const viewer = useViewer()
  const start = useStartTimer(board.id)
  const [adding, setAdding] = useState(false)
  const [own] = inOrder(entries.filter(({ userId, status }) => userId === viewer.id && status !== 'completed'))
  return (
    <div className="flex flex-wrap gap-2 empty:hidden">
      {own ? (
        <TimerButtons boardId={board.id} timer={own} />
      ) : (
        !locked && (
          <Button size="small" onClick={() => void start.run({ task, timeZone: ownZone() })}>
            <Play className="size-3.5 fill-current" aria-hidden />
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
      <AddTime boardId={board.id} task={task} open={adding} onClose={() => setAdding(false)} />
    </div>
  )
}

/** board-page.md, section 2. */
const Loading = () => (
  <div role="status" className="animate-pulse text-small">
    <p>Loading Time Entries</p>
    <p className="text-quiet">Fetching your time tracking data...</p>
  </div>
)
