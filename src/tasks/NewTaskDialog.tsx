import { type SubmitEvent, useRef, useState } from 'react'
import { fieldErrors } from '../web/fieldErrors'
import { toast } from '../web/toast'
import { Button } from '../web/ui/Button'
import { Dialog, DialogButtons } from '../web/ui/Dialog'
import { Field, Input, TextArea } from '../web/ui/Field'
import { useDraft } from '../web/useDraft'
import { useCreateTask } from './cache'
import { newTask, STATUSES, type Status, TITLE_MISSING } from './inputs'
import { StatusSelect } from './StatusSelect'

type Props = { boardId: number; status: Status | null; onClose(): void; onCreated(taskId: number): void }

/** The Create New Task dialog; `status` is that of the column it was opened from, null while it is closed. */
export const NewTaskDialog = ({ status, onClose, ...rest }: Props) => (
  <Dialog open={status !== null} onOpenChange={(open) => !open && onClose()} title="Create New Task" keep>
    {status && <NewTaskForm status={status} onClose={onClose} {...rest} />}
  </Dialog>
)

/** `from` is the column in which the status was chosen: opened from another one, the form starts with that. */
type Typed = 'title' | 'description' | 'status' | 'from'

function NewTaskForm({ boardId, status: column, onClose, onCreated }: Props & { status: Status }) {
  const creation = useCreateTask(boardId)
  const { typed, type, discard } = useDraft<Typed>(`new-task-${boardId}`)
  const [tried, setTried] = useState(false)
  const title = useRef<HTMLInputElement>(null)
  const chosen = typed.from === column && STATUSES.find((status) => status === typed.status)
  const status = chosen || column
  const filledIn = { title: typed.title ?? '', description: typed.description ?? '', status }
  const errors = fieldErrors<Typed>(newTask, filledIn, tried)

  const cancel = () => {
    discard()
    onClose()
  }
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    const given = newTask.safeParse(filledIn)
    if (!given.success) {
      refuse()
      return
    }
    const task = await creation.run(given.data)
    if (!task) return
    cancel()
    onCreated(task.id)
  }
  const refuse = () => {
    const refused = fieldErrors<Typed>(newTask, filledIn, true)
    if (refused.title) title.current?.focus()
    if (filledIn.title.trim() === '') toast({ variant: 'destructive', title: 'Title Required', description: TITLE_MISSING })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <Field label="Task Title" error={errors.title}>
        {(tied) => (
          <Input
            {...tied}
            ref={title}
            required
            autoComplete="off"
            readOnly={creation.isPending}
            value={filledIn.title}
            onChange={(event) => type({ title: event.target.value })}
          />
        )}
      </Field>
      <Field label="Description (optional)" error={errors.description}>
        {(tied) => (
          <TextArea
            {...tied}
            className="min-h-24"
            readOnly={creation.isPending}
            value={filledIn.description}
            onChange={(event) => type({ description: event.target.value })}
          />
        )}
      </Field>
      <Field label="Status">
        {(tied) => (
          <StatusSelect
            {...tied}
            disabled={creation.isPending}
            value={status}
            onChange={(next) => type({ status: next, from: column })}
          />
        )}
      </Field>
      <DialogButtons>
        <Button onClick={cancel} disabled={creation.isPending}>
          Cancel
        </Button>
        <Button type="submit" look="primary" busy={creation.isPending}>
          Create Task
        </Button>
      </DialogButtons>
    </form>
  )
}
