import { useBoardView } from '../../boards/page/cache'
import { Button } from '../../web/ui/Button'
import { DialogButtons } from '../../web/ui/Dialog'
import { Field, Input, TextArea } from '../../web/ui/Field'
import { useForm } from '../../web/useForm'
import { STATUSES, type Status } from '../basics'
import type { NewTask, Task } from '../schema'
import { AssigneeInput } from './AssigneeInput'
import { tellTitleMissing, useCreateTask, useNewTaskDraft, useNewTaskSchema } from './creating'
import { DueInput } from './DueInput'
import { tagsOf } from './display'
import { StatusSelect } from './StatusSelect'
import { TagInput } from './TagInput'

type Props = { boardId: number; status: Status; onClose(): void; onCreated(task: Task): void }

export function NewTaskForm({ boardId, status: column, onClose, onCreated }: Props) {
  const creation = useCreateTask(boardId)
  const view = useBoardView(boardId)
  const members = view?.board.members ?? []
  const draft = useNewTaskDraft(boardId)
  const { title, description, dueDate, from } = draft.values
  const chosen = from === column && STATUSES.find((status) => status === draft.values.status)
  const status = chosen || column
  // A draft holds texts: one line a tag.
  const tags = draft.values.tags.split('\n').filter(Boolean)
  const chosenIds = draft.values.assignees.split('\n')
  const assignees = members.filter(({ id }) => chosenIds.includes(String(id)))
  const input = { title, description, status, tags, dueDate: dueDate || null, assigneeIds: assignees.map(({ id }) => id) }
  const form = useForm(draft, { schema: useNewTaskSchema(), input, early: 'too long' })
  const { errors, type } = form

  const cancel = () => {
    form.discard()
    onClose()
  }
  const create = async (given: NewTask) => {
    const task = await creation.run(given, assignees)
    if (!task) return
    cancel()
    onCreated(task)
  }
  const refuse = () => {
    if (title.trim() === '') tellTitleMissing()
  }
  return (
    <form onSubmit={form.submit(create, refuse)} className="flex flex-col gap-4" noValidate>
      <Field label="Task Title" error={errors.title}>
        {(tied) => <Input {...tied} {...form.text('title')} required autoComplete="off" readOnly={creation.isPending} />}
      </Field>
      <Field label="Description (optional)" error={errors.description}>
        {(tied) => <TextArea {...tied} {...form.text('description')} className="min-h-24" readOnly={creation.isPending} />}
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
      <Field label="Assignees (optional)" error={errors.assignees}>
        {({ id }) => (
          <AssigneeInput
            id={id}
            disabled={creation.isPending}
            members={members}
            assignees={assignees}
            onChange={(next) => type({ assignees: next.map((user) => user.id).join('\n') })}
          />
        )}
      </Field>
      <Field label="Tags (optional)" error={errors.tags}>
        {({ id }) => (
          <TagInput
            id={id}
            disabled={creation.isPending}
            tags={tags}
            known={tagsOf(view?.tasks ?? [])}
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
