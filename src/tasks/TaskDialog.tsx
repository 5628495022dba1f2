import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { mayDeleteTask } from '../access'
import { useViewer } from '../auth/cache'
import type { Board } from '../boards/inputs'
import { useLiveMessages } from '../web/live'
import { toast } from '../web/toast'
import { Button } from '../web/ui/Button'
import { Confirm } from '../web/ui/Confirm'
import { Dialog } from '../web/ui/Dialog'
import { Field, Input, TextArea } from '../web/ui/Field'
import { useDraft } from '../web/useDraft'
import { Assignees } from './Assignees'
import { useDeleteTask, useUpdateTask } from './cache'
import { moment } from './display'
import { STATUSES, type Status, TASK_DESCRIPTION_MAX, TASK_TITLE_MAX, type Task, type TaskChanges } from './inputs'
import { StatusSelect } from './StatusSelect'

type Props = { board: Board; task: Task; locked: boolean; onClose(): void }
type Editable = 'title' | 'description' | 'status'

/** The task detail dialog. What is typed stays as a draft until it is saved or discarded. */
export function TaskDialog({ board, task, locked, onClose }: Props) {
  const { typed, type, discard } = useDraft<Editable>(`task-${task.id}`)
  const update = useUpdateTask(board.id)
  const [untitled, setUntitled] = useState(false)
  const changes = changedFields(task, typed)
  const changed = Object.keys(changes).length > 0
  useClosedByDeletion(task.id, onClose)

  const save = () => {
    if (changes.title === '') {
      setUntitled(true)
      return
    }
    onClose()
    if (changed) void update.run({ taskId: task.id, ...changes }).then((answer) => answer && discard())
    else discard()
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={task.title} above={board.name} keep={changed} wide>
      <div className="grid gap-6 md:grid-cols-[minmax(0,1fr)_15rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <Field label="Title" error={untitled && changes.title === '' ? 'Please enter a title for the task.' : undefined}>
            {(tied) => (
              <Input
                {...tied}
                className="font-strong"
                disabled={locked}
                maxLength={TASK_TITLE_MAX}
                value={typed.title ?? task.title}
                onChange={(event) => type('title', event.target.value)}
              />
            )}
          </Field>
          <Field label="Description">
            {(tied) => (
              <TextArea
                {...tied}
                rows={8}
                disabled={locked}
                maxLength={TASK_DESCRIPTION_MAX}
                placeholder="No description"
                value={typed.description ?? task.description ?? ''}
                onChange={(event) => type('description', event.target.value)}
              />
            )}
          </Field>
          <Assignees board={board} task={task} locked={locked} />
        </div>
        <TaskInformation board={board} task={task} locked={locked} onClose={onClose}>
          <StatusSelect
            aria-label="Status"
            disabled={locked}
            value={STATUSES.find((status) => status === typed.status) ?? task.status}
            onChange={(status: Status) => type('status', status)}
          />
        </TaskInformation>
      </div>
      <div className="flex items-center justify-end gap-2 border-line border-t pt-4">
        {changed && (
          <Button look="quiet" onClick={discard}>
            Discard changes
          </Button>
        )}
        <Button look="primary" onClick={save}>
          {changed ? 'Save & Close' : 'Close'}
        </Button>
      </div>
    </Dialog>
  )
}

/** Only what differs from the task is sent, so that someone else's change of another field stays. */
function changedFields(task: Task, typed: Partial<Record<Editable, string>>): Pick<TaskChanges, Editable> {
  const status = STATUSES.find((known) => known === typed.status)
  return {
    ...(typed.title !== undefined && typed.title.trim() !== task.title && { title: typed.title.trim() }),
    ...(typed.description !== undefined &&
      typed.description.trim() !== (task.description ?? '') && { description: typed.description }),
    ...(status && status !== task.status && { status }),
  }
}

function useClosedByDeletion(taskId: number, onClose: () => void) {
  const viewer = useViewer()
  useLiveMessages((message) => {
    if (message.type !== 'task_deleted' || message.payload.taskId !== taskId || message.payload.by === viewer.id) return
    toast({ title: 'Task Deleted' })
    onClose()
  })
}

function TaskInformation({ board, task, locked, onClose, children }: Props & { children: React.ReactNode }) {
  const viewer = useViewer()
  return (
    <aside className="flex flex-col gap-4 rounded-panel bg-column p-4" aria-label="Task Information">
      <h2 className="font-strong">Task Information</h2>
      {children}
      <dl className="flex flex-col gap-3 text-small">
        <div>
          <dt className="text-quiet">Created</dt>
          <dd className="tabular">{moment(task.createdAt)}</dd>
        </div>
        <div>
          <dt className="text-quiet">Last Updated</dt>
          <dd className="tabular">{task.updatedAt ? moment(task.updatedAt) : 'Never'}</dd>
        </div>
      </dl>
      {!locked && mayDeleteTask(viewer, board, task) && (
        <section className="mt-auto flex flex-col items-start gap-1" aria-label="Quick Actions">
          <h3 className="text-quiet text-small">Quick Actions</h3>
          <DeleteTask boardId={board.id} task={task} onDeleted={onClose} />
        </section>
      )}
    </aside>
  )
}

function DeleteTask({ boardId, task, onDeleted }: { boardId: number; task: Task; onDeleted(): void }) {
  const [asking, setAsking] = useState(false)
  const deletion = useDeleteTask(boardId)
  const confirm = () => {
    setAsking(false)
    void deletion.run(task.id)
    onDeleted()
  }
  return (
    <>
      <Button look="quiet-danger" size="small" className="-ml-2" onClick={() => setAsking(true)}>
        <Trash2 className="size-3.5" aria-hidden />
        Delete Task
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Delete Task"
        text="This permanently deletes the task, with its comments, files and time entries."
        action="Delete Task"
        busyAction="Deleting..."
        busy={deletion.isPending}
        onConfirm={confirm}
      />
    </>
  )
}
