import Undo2 from 'lucide-react/icons/undo-2'
import { maySeeAllDeletedTasks } from '../../access'
import { RESTORABLE_DAYS } from '../../boards/limits'
import type { Board } from '../../boards/schema'
import { dayAt } from '../../days'
import { calendarDay, dayName, timeOfDay } from '../../format'
import { Avatar } from '../../users/page/Avatar'
import { useViewer } from '../../users/page/viewer'
import { displayName } from '../../users/schema'
import { useChange } from '../../web/live/undoableChanges'
import { Button } from '../../web/ui/Button'
import { Dialog } from '../../web/ui/Dialog'
import { TryAgain } from '../../web/ui/Failure'
import { LoadingRows } from '../../web/ui/Spinner'
import type { DeletedTask } from '../schema'
import { restore, useDeletedTasks } from './cache'
import { contentsText } from './display'

type Props = { board: Board; locked: boolean; open: boolean; onOpenChange(open: boolean): void }

export function DeletedTasks({ board, locked, open, onOpenChange }: Props) {
  const seesAll = maySeeAllDeletedTasks(useViewer(), board)
  const kept = `${seesAll ? 'Deleted tasks' : 'Tasks that you deleted'} are kept for ${RESTORABLE_DAYS} days.`
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Deleted tasks" description={kept} shape="side">
      <List board={board} locked={locked} />
    </Dialog>
  )
}

function List({ board, locked }: Pick<Props, 'board' | 'locked'>) {
  const { tasks, isFull, error, isError, isFetching, refetch } = useDeletedTasks(board.id)
  if (!tasks && !isError) return <LoadingRows label="Loading deleted tasks" />
  if (!tasks)
    return (
      <TryAgain busy={isFetching} retry={() => void refetch()} error={error}>
        The deleted tasks could not be loaded.
      </TryAgain>
    )
  return (
    <>
      {locked && (
        <p className="rounded-card bg-column px-3 py-2 text-quiet">This board is read-only, so nothing can be restored.</p>
      )}
      {tasks.length === 0 && <p className="text-quiet">No tasks to restore from the last {RESTORABLE_DAYS} days.</p>}
      {tasks.length > 0 && (
        <ul className="-my-3 flex flex-col divide-y divide-line">
          {tasks.map((task) => (
            <Row key={task.id} boardId={board.id} task={task} locked={locked} />
          ))}
        </ul>
      )}
      {isFull && <p className="text-quiet text-small">Only the latest are listed here.</p>}
    </>
  )
}

function Row({ boardId, task, locked }: { boardId: number; task: DeletedTask; locked: boolean }) {
  const { title, deletedBy, deletedAt, until } = task
  const { run, isPending } = useChange(boardId, restore)
  const contents = contentsText(task)
  return (
    <li className="flex items-start gap-3 py-3">
      {deletedBy ? <Avatar user={deletedBy} className="mt-0.5" /> : <span className="size-6 shrink-0" />}
      <div className="min-w-0 flex-1">
        <p dir="auto" className="line-clamp-2 [overflow-wrap:anywhere]" title={title}>
          {title}
        </p>
        <p className="tabular text-quiet text-small">
          {deletedBy && (
            <>
              <bdi>{displayName(deletedBy)}</bdi> ·{' '}
            </>
          )}
          <time dateTime={deletedAt} title={`Kept until ${calendarDay(dayAt(new Date(until)))}`}>
            {dayName(dayAt(new Date(deletedAt)))}, {timeOfDay(deletedAt)}
          </time>
        </p>
        {contents && <p className="tabular text-quiet text-small">{contents}</p>}
      </div>
      {!locked && (
        <Button
          size="small"
          data-ignore-second-press
          busy={isPending}
          onClick={() => void run({ taskId: task.id, title })}
          aria-label={`Restore ${title}`}
        >
          <Undo2 className="size-3.5" aria-hidden />
          Restore
        </Button>
      )}
    </li>
  )
}
