import { Play, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { useBoardView } from '../../../boards/page/cache'
import type { Board } from '../../../boards/schema'
import type { Task } from '../../../tasks/schema'
import { firstId } from '../../../web/live/aliases'
import { Button } from '../../../web/ui/Button'
import { TryAgain } from '../../../web/ui/TryAgain'
import { AddTime } from '../../entries/page/AddTime'
import { ownZone } from '../../entries/page/display'
import { EntryStrip } from '../../entries/page/EntryStrip'
import { TotalTime } from '../../entries/page/EntryTime'
import { useTimeEntries } from '../../entries/page/useTimeEntries'
import { LOADING_FAILED } from '../../entries/schema'
import { useStartTimer } from './cache'
import { TimerButtons } from './TimerButtons'
import { useTimers } from './useTimers'

type Props = { board: Board; task: Task; locked: boolean }

export function TaskTime({ board, task, locked }: Props) {
  const { entries, more, goFurther, error, isError, isFetching, retry } = useTimeEntries(board.id, task.id)
  const isTimed = useBoardView(board.id)?.timers.some(({ taskId }) => taskId === task.id)
  const heading = useRef<HTMLHeadingElement>(null)
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
      <Actions board={board} task={task} locked={locked} onGone={toHeading} />
      {entries && entries.length > 0 && (
        <EntryStrip board={board} entries={entries} more={more} locked={locked} onFurther={goFurther} onDeleted={toHeading} />
      )}
      {!entries && !isError && (task.minutes > 0 || isTimed) && <Loading />}
      {!entries && isError && (
        <TryAgain busy={isFetching} retry={retry} error={error} className="text-small">
          {LOADING_FAILED}
        </TryAgain>
      )}
    </section>
  )
}

function Actions({ board, task, locked, onGone }: Props & { onGone(): void }) {
  const start = useStartTimer(board.id)
  const [adding, setAdding] = useState(false)
  const own = useTimers().find(({ taskId }) => taskId === task.id)
  return (
    <div className="flex flex-wrap gap-2 empty:hidden">
      {own ? (
        <TimerButtons key={firstId('entry', own.id)} boardId={board.id} timer={own} onGone={onGone} />
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

const Loading = () => (
  <div role="status" className="text-small">
    <p>Loading Time Entries</p>
    <p className="text-quiet">Fetching your time tracking data...</p>
  </div>
)
