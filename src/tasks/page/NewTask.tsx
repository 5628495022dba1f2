import { useRef } from 'react'
import { useBoardView } from '../../boards/page/cache'
import type { Received } from '../../protocol'
import { useViewer } from '../../users/page/viewer'
import type { UserSummary } from '../../users/schema'
import { addCheckbox, ChecklistButton, continueList } from '../../web/checklistEditing'
import { type Call, client } from '../../web/client'
import { serverNow } from '../../web/clock'
import { lazySchema } from '../../web/lazyComponent'
import { changeKind, type Made } from '../../web/live/changeKinds'
import { useChange } from '../../web/live/undoableChanges'
import { reasonOr } from '../../web/refusal'
import { LONG_SHOWN_FOR, toast } from '../../web/toast'
import { Button } from '../../web/ui/Button'
import { Dialog, DialogButtons } from '../../web/ui/Dialog'
import { Field, Input, TextArea } from '../../web/ui/Field'
import { useDraft } from '../../web/useDraft'
import { useForm } from '../../web/useForm'
import { EMPTY_TASK, newFields, STATUSES, type Status, TITLE_MISSING } from '../limits'
import type { NewTask, Snapshot, Task, TaskMessage } from '../schema'
import { tagsOf } from './display'
import { movedTo } from './reducers'
import { AssigneeInput, DueInput, StatusSelect, TagInput } from './taskFields'

/** Tasks added together get one toast. */
type Creation = { given: NewTask; createdBy: number; assignees?: UserSummary[]; isOneOfSeveral?: boolean }

function newTaskOf(
  { given, createdBy, assignees = [] }: Creation,
  { id, boardId, at }: Pick<Made, 'id' | 'boardId' | 'at'>,
  board: Snapshot | undefined,
): Task {
  const { status } = given
  const none = { ...EMPTY_TASK, assignees, updatedAt: null, revision: 1 }
  const createdAt = new Date(at).toISOString()
  const doneAt = status === 'done' ? createdAt : null
  const task = { id, ...newFields(given), boardId, createdBy, createdAt, doneAt, position: '', ...none }
  return movedTo(board?.tasks ?? [], task, { status })
}

const creation = {
  creates: { type: 'new_task', as: 'task' } as const,
  send: ({ given }: Creation, call: Call, { boardId }: Made) => client.tasks.create.mutate({ boardId, ...given }, call),
  predict: (creation: Creation, made: Made, board: Snapshot | undefined): Received<TaskMessage>[] => [
    { type: 'new_task', payload: { task: newTaskOf(creation, made, board) } },
  ],
  textOf: ({ given }: Creation) => [given.title, given.description].filter(Boolean).join('\n\n'),
  texts: {
    success: (_task: Task, { isOneOfSeveral }: Creation) => (isOneOfSeveral ? null : { title: 'Task Created' }),
    failure: (error: unknown) => ({
      title: 'Creation Failed',
      description: reasonOr(error, 'Could not create the task. Please try again.'),
    }),
  },
}

const create = changeKind({ name: 'tasks.create', waits: true, ...creation })
const add = changeKind({ name: 'tasks.add', ...creation })

/** `run` answers with the predicted task if the server cannot be reached. */
function useCreation(boardId: number, kind: typeof add) {
  const { id: createdBy } = useViewer()
  const { run: submitted, isPending } = useChange(boardId, kind)
  const run = async (given: NewTask, assignees: UserSummary[], isOneOfSeveral = false): Promise<Task | undefined> => {
    const creation = { given, createdBy, assignees, isOneOfSeveral }
    const outcome = await submitted(creation)
    return outcome && (outcome.answer ?? newTaskOf(creation, { ...outcome, boardId, at: serverNow() }, undefined))
  }
  return { run, isPending }
}

/** The task shows at once, and its form is ready for the next. */
export const useAddTask = (boardId: number) => useCreation(boardId, add)

export const useNewTaskSchema = lazySchema(() => import('../schema').then((module) => module.newTask))

/** `from` is the column for which the status was chosen; another column starts with its own. Lists are one line each. */
const EMPTY_DRAFT = { title: '', description: '', status: '', from: '', dueDate: '', tags: '', assigneeIds: '' }

export const useNewTaskDraft = (boardId: number) => useDraft(`new-task-${boardId}`, EMPTY_DRAFT)

export const toastTitleMissing = () => toast({ variant: 'destructive', title: 'Title Required', description: TITLE_MISSING })

/** Only about tasks that the filter hides. */
export function toastHiddenTasks(tasks: Task[], hidden: Task[], onShow: (task: Task) => void): void {
  const isOne = tasks.length === 1
  const [first] = hidden
  if (!first) return
  const title = isOne ? 'Task Created' : `${tasks.length} Tasks Created`
  const description = isOne ? 'The filter hides it.' : `The filter hides ${hidden.length} of them.`
  toast({ title, description, duration: LONG_SHOWN_FOR, actions: [{ label: 'Show', run: () => onShow(first) }] })
}

type Props = {
  boardId: number
  status: Status | null
  onClose(): void
  /** Returns whether the task gets the focus: a filter may hide it. */
  onCreated(task: Task): boolean
  onShow?(task: Task): void
}

/** `status` is the column that it was opened from; null closes it. */
export function NewTaskDialog({ status, onClose, onCreated, onShow, ...rest }: Props) {
  const passes = useRef(false)
  const create = (task: Task) => {
    passes.current = onCreated(task)
    if (!passes.current && onShow) toastHiddenTasks([task], [task], onShow)
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

type NewTaskFormProps = { boardId: number; status: Status; onClose(): void; onCreated(task: Task): void }

function NewTaskForm({ boardId, status: column, onClose, onCreated }: NewTaskFormProps) {
  const creation = useCreation(boardId, create)
  const view = useBoardView(boardId)
  const members = view?.board.members ?? []
  const draft = useNewTaskDraft(boardId)
  const { title, description, dueDate, from } = draft.values
  const chosen = from === column && STATUSES.find((status) => status === draft.values.status)
  const status = chosen || column
  // A draft holds texts: one line a tag.
  const tags = draft.values.tags.split('\n').filter(Boolean)
  const chosenIds = draft.values.assigneeIds.split('\n')
  const assignees = members.filter(({ id }) => chosenIds.includes(String(id)))
  const input = { title, description, status, tags, dueDate: dueDate || null, assigneeIds: assignees.map(({ id }) => id) }
  const form = useForm(draft, { schema: useNewTaskSchema(), input, early: 'too long' })
  const { errors, type } = form
  const text = useRef<HTMLTextAreaElement>(null)

  const cancel = () => {
    form.discard()
    onClose()
  }
  const save = async (given: NewTask) => {
    const task = await creation.run(given, assignees)
    if (!task) return
    form.discard(draft.values)
    onClose()
    onCreated(task)
  }
  const refuse = () => {
    if (title.trim() === '') toastTitleMissing()
  }
  return (
    <form onSubmit={form.submit(save, refuse)} className="flex flex-col gap-4" noValidate>
      <Field label="Task Title" error={errors.title}>
        {(tied) => <Input {...tied} {...form.text('title')} required autoComplete="off" readOnly={creation.isPending} />}
      </Field>
      <Field
        label="Description (optional)"
        error={errors.description}
        aside={<ChecklistButton onClick={() => addCheckbox(text.current, document.activeElement !== text.current)} />}
      >
        {(tied) => (
          <TextArea
            {...tied}
            {...form.text('description')}
            ref={text}
            onKeyDown={continueList}
            className="min-h-24"
            readOnly={creation.isPending}
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
      <Field label="Assignees (optional)" error={errors.assigneeIds}>
        {({ id }) => (
          <AssigneeInput
            id={id}
            disabled={creation.isPending}
            members={members}
            assignees={assignees}
            onChange={(next) => type({ assigneeIds: next.map((user) => user.id).join('\n') })}
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
