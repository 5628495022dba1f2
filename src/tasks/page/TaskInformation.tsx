import { Trash2 } from 'lucide-react'
import { type ReactNode, use, useState } from 'react'
import { mayDeleteTask } from '../../access'
import { useViewer } from '../../auth/page/cache'
import { useBoardView } from '../../boards/page/cache'
import type { Board } from '../../boards/schema'
import { TaskTime } from '../../time/page/TaskTime'
import { Button } from '../../web/ui/Button'
import { Confirm } from '../../web/ui/Confirm'
import type { Task } from '../schema'
import { Assignees } from './Assignees'
import { DueAndTags } from './DueAndTags'
import { useDeleteTask } from './deleting'
import { dateTimeText, deletionText } from './display'
import { MovesContext } from './movesContext'

const PART = 'max-md:rounded-panel max-md:bg-column max-md:p-4'

type Props = { board: Board; task: Task; locked: boolean; onClose(): void; children: ReactNode }

/** In the order of the specification. On a phone the status, `children`, stands below the title with days and tags, then time and people, and the rest at the end. */
export function TaskInformation({ board, task, locked, onClose, children }: Props) {
  const viewer = useViewer()
  return (
    <aside
      className="flex flex-col gap-5 rounded-panel bg-column p-4 max-md:contents md:self-start"
      aria-labelledby="task-information"
    >
      <h2 id="task-information" className="font-strong max-md:sr-only">
        Task Information
      </h2>
      <div className="flex flex-col gap-3 max-md:order-1">
        {children}
        <div className="grid gap-3 max-md:grid-cols-2">
          <DueAndTags board={board} task={task} locked={locked} />
        </div>
      </div>
      <dl className={`flex flex-col gap-3 text-small max-md:order-4 ${PART}`}>
        <div>
          <dt className="text-quiet">Created</dt>
          <dd className="tabular">{dateTimeText(task.createdAt)}</dd>
        </div>
        <div>
          <dt className="text-quiet">Last Updated</dt>
          <dd className="tabular">{task.updatedAt ? dateTimeText(task.updatedAt) : 'Never'}</dd>
        </div>
      </dl>
      <div className={`max-md:order-2 ${PART}`}>
        <TaskTime board={board} task={task} locked={locked} />
      </div>
      <div className={`max-md:order-2 ${PART}`}>
        <Assignees board={board} task={task} locked={locked} />
      </div>
      {!locked && mayDeleteTask(viewer, board, task) && (
        <section className={`flex flex-col items-start gap-1 max-md:order-4 ${PART}`} aria-label="Quick Actions">
          <h3 className="text-quiet text-small">Quick Actions</h3>
          <DeleteTask boardId={board.id} task={task} onClose={onClose} />
        </section>
      )}
    </aside>
  )
}

/** Asks only where something hangs on it; a deletion can be undone. */
function DeleteTask({ boardId, task, onClose }: { boardId: number; task: Task; onClose(): void }) {
  const [asking, setAsking] = useState(false)
  const deletion = useDeleteTask(boardId)
  const { leave } = use(MovesContext)
  const text = deletionText(task, useBoardView(boardId)?.timers)
  const remove = () => {
    leave(task)
    void deletion.run(task.id)
    onClose()
  }
  return (
    <>
      <Button look="quiet-danger" size="small" className="-ml-2" onClick={() => (text ? setAsking(true) : remove())}>
        <Trash2 className="size-3.5" aria-hidden />
        Delete Task
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Delete Task"
        text={text ?? ''}
        action="Delete Task"
        onConfirm={remove}
      />
    </>
  )
}
