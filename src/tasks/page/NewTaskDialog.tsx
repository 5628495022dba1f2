import { type SubmitEvent, useRef, useState } from 'react'
import { fieldErrors } from '../../web/fieldErrors'
import { toast } from '../../web/toast'
import { Button } from '../../web/ui/Button'
import { Dialog, DialogButtons } from '../../web/ui/Dialog'
import { Field, Input, TextArea } from '../../web/ui/Field'
import { useDraft } from '../../web/useDraft'
import { newTask, STATUSES, type Status, type Task, TITLE_MISSING } from '../schema'
import { useCreateTask } from './cache'
import { DueInput } from './DueInput'
import { StatusSelect } from './StatusSelect'
import { TagInput } from './TagInput'

type Props = {
  boardId: number
  status: Status | null
  knownTags: string[]
  onClose(): void
  /** Returns whether the task gets the focus, for a filter may hide it. */
  onCreated(task: Task): boolean
}

/** `status` is that of the column it was opened from, null while it is closed. */
export function NewTaskDialog({ status, onClose, onCreated, ...rest }: Props) {
  const passes = useRef(false)
  const create = (task: Task) => {
    passes.current = onCreated(task)
    return passes.current
  }
  return (
    <Dialog
      open={status !== null}
      onOpenChange={(open) => !open && onClose()}
      title="Create New Task"
      keep
      passesFocus={() => {
        const passed = passes.current
        passes.current = false
        return passed
      }}
    >
      {status && <NewTaskForm status={status} onClose={onClose} onCreated={create} {...rest} />}
    </Dialog>
  )
}

/** `from` is the column for which the draft's status was chosen; another column starts with its own. */
type Typed = 'title' | 'description' | 'status' | 'from' | 'dueDate' | 'tags'

function NewTaskForm({ boardId, status: column, knownTags, onClose, onCreated }: Props & { status: Status }) {
  const creation = useCreateTask(boardId)
  const { typed, type, discard } = useDraft<Typed>(`new-task-${boardId}`)
  const [tried, setTried] = useState(false)
  const title = useRef<HTMLInputElement>(null)
  const chosen = typed.from === column && STATUSES.find((status) => status === typed.status)
  const status = chosen || column
  // A draft holds texts: one line a tag.
  const tags = typed.tags?.split('\n').filter(Boolean) ?? []
  const { title: titled = '', description = '', dueDate = '' } = typed
  const filledIn = { title: titled, description, status, tags, dueDate: dueDate || null }
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
    onCreated(task)
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
      <div className="grid gap-4 sm:grid-cols-2">
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
        <Field label="Due date (optional)" error={errors.dueDate}>
          {(tied) => (
            <DueInput
              {...tied}
              disabled={creation.isPending}
              due={dueDate || null}
              onChange={(next) => type({ dueDate: next ?? '' })}
            />
          )}
        </Field>
      </div>
      <Field label="Tags (optional)" error={errors.tags}>
        {({ id }) => (
          <TagInput
            id={id}
            disabled={creation.isPending}
            tags={tags}
            known={knownTags}
            onChange={(next) => type({ tags: next.join('\n') })}
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
