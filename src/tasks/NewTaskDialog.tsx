import { type SubmitEvent, useState } from 'react'
import { toast } from '../web/toast'
import { Button } from '../web/ui/Button'
import { Dialog, DialogButtons } from '../web/ui/Dialog'
import { Field, Input, TextArea } from '../web/ui/Field'
import { useDraft } from '../web/useDraft'
import { useCreateTask } from './cache'
import { newTask, type Status, TASK_DESCRIPTION_MAX, TASK_TITLE_MAX } from './inputs'
import { StatusSelect } from './StatusSelect'

type Props = { boardId: number; status: Status | null; onClose(): void; onCreated(taskId: number): void }

/** The Create New Task dialog; `status` is that of the column it was opened from, null while it is closed. */
export const NewTaskDialog = ({ status, onClose, ...rest }: Props) => (
  <Dialog open={status !== null} onOpenChange={(open) => !open && onClose()} title="Create New Task" keep>
    {status && <NewTaskForm status={status} onClose={onClose} {...rest} />}
  </Dialog>
)

function NewTaskForm({ boardId, status: initial, onClose, onCreated }: Props & { status: Status }) {
  const creation = useCreateTask(boardId)
  const { typed, type, discard } = useDraft<'title' | 'description'>(`new-task-${boardId}`)
  const [status, setStatus] = useState(initial)
  const [untitled, setUntitled] = useState(false)

  const cancel = () => {
    discard()
    onClose()
  }
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const given = newTask.safeParse({ ...typed, title: typed.title ?? '', status })
    if (!given.success) {
      setUntitled(true)
      toast({ variant: 'destructive', title: 'Title Required', description: 'Please enter a title for the task.' })
      return
    }
    const task = await creation.run(given.data)
    if (!task) return
    cancel()
    onCreated(task.id)
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <Field label="Task Title" error={untitled && !typed.title?.trim() ? 'Please enter a title for the task.' : undefined}>
        {(tied) => (
          <Input
            {...tied}
            required
            maxLength={TASK_TITLE_MAX}
            autoComplete="off"
            value={typed.title ?? ''}
            onChange={(event) => type('title', event.target.value)}
          />
        )}
      </Field>
      <Field label="Description (optional)">
        {(tied) => (
          <TextArea
            {...tied}
            rows={4}
            maxLength={TASK_DESCRIPTION_MAX}
            value={typed.description ?? ''}
            onChange={(event) => type('description', event.target.value)}
          />
        )}
      </Field>
      <Field label="Status">{(tied) => <StatusSelect {...tied} value={status} onChange={setStatus} />}</Field>
      <DialogButtons>
        <Button onClick={cancel}>Cancel</Button>
        <Button type="submit" look="primary" busy={creation.isPending}>
          Create Task
        </Button>
      </DialogButtons>
    </form>
  )
}
