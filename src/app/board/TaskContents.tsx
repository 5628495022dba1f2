import { useNavigate } from '@tanstack/react-router'
import {
  type ComponentProps,
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { TaskActivity } from '../../activity/page/Feed'
import { Attachments } from '../../attachments/page/Attachments'
import { NO_ACCESS } from '../../boards/limits'
import { boardsLeft, boardViewNow } from '../../boards/page/cache'
import type { Board } from '../../boards/schema'
import { Comments } from '../../comments/page/Comments'
import { typedComments } from '../../comments/page/cache'
import { useMarkTaskRead } from '../../notifications/page/cache'
import { STATUS_LABELS, STATUSES, type Status } from '../../tasks/limits'
import { update } from '../../tasks/page/cache'
import { DescriptionField, tickInDescription, useDescription } from '../../tasks/page/TaskDescription'
import { TaskInformation } from '../../tasks/page/TaskInformation'
import { TaskLayout } from '../../tasks/page/TaskLayout'
import { Property, StatusSelect } from '../../tasks/page/taskFields'
import { taskHash } from '../../tasks/page/taskUrl'
import { type BoardTask, type Task, type TaskChanges, taskChanges } from '../../tasks/schema'
import { TaskTime } from '../../time/page/TaskTime'
import { useViewer } from '../../users/page/viewer'
import { displayName } from '../../users/schema'
import { ChecklistButton } from '../../web/checklistEditing'
import { useLiveMessages } from '../../web/live/socket'
import { submitWithUndo } from '../../web/live/undoableChanges'
import { toast, UNTIL_DISMISSED, withCopy } from '../../web/toast'
import { Button } from '../../web/ui/Button'
import { ConnectionLine } from '../../web/ui/ConnectionLine'
import { DialogFooter } from '../../web/ui/Dialog'
import { GatheredTryAgain, TryAgain } from '../../web/ui/Failure'
import { Field, QuietTextArea } from '../../web/ui/Field'
import { EditConflict } from '../../web/ui/InlineEdit'
import { useDraft } from '../../web/useDraft'
import { useForm } from '../../web/useForm'

export type TaskProps = {
  board: Board
  task: BoardTask
  locked: boolean
  onClose(): void
  /** Called when the card moves to another column as the dialog closes. */
  onMove(status: Status): void
}

/** `ref` gets the function that saves and closes. */
export function TaskContents({ board, task, locked, onClose, onMove, ref }: TaskProps & { ref: Ref<() => void> }) {
  const description = useDescription(board.id, task)
  const current: Texts = { title: task.title, description: description.text, status: task.status }
  const draft = useDraft(`task-${task.id}`, current)
  const { typed, type, errors, isValid, attempt, discard } = useForm(draft, {
    schema: taskChanges,
    input: draft.typed,
    early: 'too long',
  })
  const title = useRef<HTMLTextAreaElement>(null)
  const addCheckbox = useRef<() => void>(null)
  const changes = changedFields(current, typed)
  const changed = Object.keys(changes).length > 0
  const undecided = EDITABLE.some(draft.isOvertaken)
  const unknown = typed.description !== undefined && !description.isKnown
  const unsaved = [changes.title, changes.description]
  useMarkTaskRead(task.id)
  const close = useSavingOnLeave({
    save() {
      // It was missing when the page reread the board after reconnecting: no message announced the deletion.
      const isDeleted = boardViewNow(board.id)?.tasks.every(({ id }) => id !== task.id)
      if (isDeleted || boardsLeft.has(board.id)) {
        discard()
        return isDeleted ? toastDeleted(task, unsaved, false) : toastGone('Not Saved', task, unsaved, NO_ACCESS)
      }
      if (!changed) return discard()
      if (!isValid || undecided || unknown) return toastUnsaved(task, reopen)
      // The user may reopen it and go on typing before the answer.
      const base = baseOf(task, current, changes)
      void submitWithUndo(board.id, update, { taskId: task.id, changes, base }).then((outcome) => outcome && discard(typed))
    },
    onClose,
  })
  const reopen = useReopen(board.id, task.id)
  const changedBy = useOthersChanges(board, task, unsaved, () => {
    discard()
    close.unsaved()
  })

  const save = () => {
    const given = attempt(title.current?.closest<HTMLElement>('[role="dialog"]') ?? null)
    if (!given || undecided) return
    close.saving()
    if (changes.status) onMove(changes.status)
  }
  useImperativeHandle(ref, () => save)
  const question = (field: Editable) =>
    draft.isOvertaken(field) && (
      <EditConflict
        theirs={field === 'status' ? STATUS_LABELS[task.status] : (current[field] ?? '')}
        by={changedBy}
        onTake={() => draft.takeTheirs(field)}
        onKeep={() => draft.keepMine(field)}
      />
    )
  const contents = (unread: ReactNode) => (
    <>
      <TaskLayout
        title={
          <Field label="Title" unlabelled error={errors.title} question={question('title')}>
            {(tied) => (
              <TitleArea
                {...tied}
                ref={title}
                readOnly={locked}
                value={typed.title ?? current.title}
                onValue={(text) => type({ title: text })}
              />
            )}
          </Field>
        }
        details={
          <>
            <Field
              label="Description"
              heading
              aside={!locked && <ChecklistButton onClick={() => addCheckbox.current?.()} />}
              error={errors.description}
              question={
                description.isError ? (
                  <TryAgain busy={description.isFetching} retry={description.retry} error={description.error}>
                    The description could not be loaded.
                  </TryAgain>
                ) : (
                  question('description')
                )
              }
            >
              {(tied) => (
                <DescriptionField
                  ref={addCheckbox}
                  tied={tied}
                  stored={current.description}
                  loading={description.isFetching}
                  typed={typed.description}
                  readOnly={locked}
                  onType={(text) => type({ description: text })}
                  onTick={(box) => tickInDescription(board.id, task, description, box)}
                />
              )}
            </Field>
            <Attachments board={board} task={task} locked={locked} />
            <TaskActivity board={board} taskId={task.id} />
          </>
        }
        conversation={<Comments board={board} task={task} locked={locked} />}
        information={
          <TaskInformation
            board={board}
            task={task}
            locked={locked}
            onClose={close.unsaved}
            time={<TaskTime board={board} task={task} locked={locked} />}
          >
            <Property label="Status" question={question('status')}>
              {(id) => (
                <StatusSelect
                  id={id}
                  disabled={locked}
                  value={STATUSES.find((status) => status === typed.status) ?? task.status}
                  onChange={(status: Status) => type({ status })}
                />
              )}
            </Property>
          </TaskInformation>
        }
      />
      <DialogFooter>
        <div role="status" className="mr-auto">
          <ConnectionLine />
        </div>
        {unread}
        {undecided && <p className="mr-auto text-quiet text-small">Choose a version to keep.</p>}
        {changed && (
          <Button look="quiet" onClick={() => discard()}>
            Discard changes
          </Button>
        )}
        <Button look={changed ? 'primary' : 'plain'} onClick={save} disabled={undecided || unknown}>
          {changed ? 'Save & Close' : 'Close'}
        </Button>
      </DialogFooter>
    </>
  )
  return <GatheredTryAgain text="Part of this task could not be loaded.">{contents}</GatheredTryAgain>
}

type TitleProps = Omit<ComponentProps<'textarea'>, 'value' | 'onChange'> & { value: string; onValue(text: string): void }

const TitleArea = ({ onValue, ...rest }: TitleProps) => (
  <QuietTextArea
    rows={1}
    className="font-strong text-title"
    onChange={(event) => onValue(event.target.value.replace(/\s*\n\s*/g, ' '))}
    onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
    {...rest}
  />
)

type Given = { save(): void; onClose(): void }

/** Saves once, whether a button or a change of address closes the dialog. */
function useSavingOnLeave({ save, onClose }: Given) {
  const isOver = useRef(false)
  const leave = useEffectEvent(() => {
    if (!isOver.current) save()
  })
  useEffect(() => () => leave(), [])
  const end = () => {
    isOver.current = true
    onClose()
  }
  return {
    saving() {
      end()
      save()
    },
    unsaved: end,
  }
}

function useReopen(boardId: number, taskId: number) {
  const navigate = useNavigate()
  return () => void navigate({ to: '/board/$boardId', params: { boardId }, hash: taskHash(taskId) })
}

const toastUnsaved = ({ title }: Task, reopen: () => void) =>
  toast({
    variant: 'destructive',
    title: 'Not Saved',
    description: `Your changes to “${title}” are kept as a draft. Open the task to save them.`,
    duration: UNTIL_DISMISSED,
    actions: [{ label: 'Open the task', run: reopen }],
  })

type Unsaved = (string | null | undefined)[]

/** Offers to copy what was typed into the task, and the unsent comments. */
function toastGone(title: string, task: Task, unsaved: Unsaved, reason = ''): boolean {
  const written = [...unsaved, ...typedComments(task)].filter(Boolean).join('\n\n')
  if (written) toast({ title, ...withCopy(written, reason) })
  return written !== ''
}

function toastDeleted(task: Task, unsaved: Unsaved, isOwn: boolean) {
  if (!toastGone('Task Deleted', task, unsaved) && !isOwn) toast({ title: 'Task Deleted' })
}

/** Who changed one of the texts last. When the task is deleted, the dialog closes. */
function useOthersChanges(board: Board, shown: BoardTask, unsaved: Unsaved, onDeleted: () => void) {
  const viewer = useViewer()
  const [changedBy, setChangedBy] = useState<number>()
  useLiveMessages({
    task_updated({ task, by }) {
      if (task.id === shown.id && EDITABLE.some((field) => task[field] !== shown[field])) setChangedBy(by)
    },
    task_deleted({ by, ...deleted }) {
      if (deleted.taskId !== shown.id) return
      toastDeleted(shown, unsaved, by === viewer.id)
      onDeleted()
    },
  })
  const member = board.members.find(({ id }) => id === changedBy)
  return member && displayName(member)
}

const EDITABLE = ['title', 'description', 'status'] as const
type Editable = (typeof EDITABLE)[number]
/** As stored; a long description may not be loaded yet. */
type Texts = { title: string; description: string | undefined; status: string }

const baseOf = ({ revision }: BoardTask, { title, description }: Texts, changes: TaskChanges) => ({
  revision,
  ...(changes.title !== undefined && { title }),
  ...(changes.description !== undefined && { description: description || null }),
})

/** Only what differs from the task is sent, so that others' changes of other fields stay. */
function changedFields(current: Texts, typed: Partial<Texts>): Pick<TaskChanges, Editable> {
  const status = STATUSES.find((known) => known === typed.status)
  return {
    ...(typed.title !== undefined && typed.title.trim() !== current.title && { title: typed.title.trim() }),
    ...(typed.description !== undefined &&
      typed.description.trim() !== current.description && { description: typed.description.trim() }),
    ...(status && status !== current.status && { status }),
  }
}
