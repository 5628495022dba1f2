import { type ComponentProps, type ReactNode, type Ref, useImperativeHandle, useRef } from 'react'
import { TaskActivity } from '../../activity/page/TaskActivity'
import { Attachments } from '../../attachments/page/Attachments'
import type { Board } from '../../boards/schema'
import { Comments } from '../../comments/page/Comments'
import { useReadOfTask } from '../../notifications/page/cache'
import { Button } from '../../web/ui/Button'
import { DialogFooter } from '../../web/ui/Dialog'
import { EditConflict } from '../../web/ui/EditConflict'
import { Field, QuietTextArea } from '../../web/ui/Field'
import { Reconnecting } from '../../web/ui/Reconnecting'
import { GatheredTryAgain, TryAgain } from '../../web/ui/TryAgain'
import { useDraft } from '../../web/useDraft'
import { useForm } from '../../web/useForm'
import { STATUS_LABELS, STATUSES, type Status } from '../basics'
import { type BoardTask, taskChanges } from '../schema'
import { useUpdateTask } from './cache'
import { Description } from './Description'
import { StatusSelect } from './StatusSelect'
import { TaskInformation } from './TaskInformation'
import { TaskLayout } from './TaskLayout'
import { baseOf, changedFields, EDITABLE, type Editable, type Texts } from './taskTexts'
import { useTick } from './ticking'
import { useDescription } from './useDescription'
import { useOthersChanges } from './useOthersChanges'
import { tellUnsaved, useReopen, useSavingOnLeave } from './useSavingOnLeave'

export type TaskProps = {
  board: Board
  task: BoardTask
  locked: boolean
  onClose(): void
  /** Called when the card moves to another column as the dialog closes. */
  onMove(status: Status): void
}

/** `ref` is told what closes the dialog. */
export function TaskContents({ board, task, locked, onClose, onMove, ref }: TaskProps & { ref: Ref<() => void> }) {
  const description = useDescription(board.id, task)
  const current: Texts = { title: task.title, description: description.text, status: task.status }
  const draft = useDraft(`task-${task.id}`, current)
  const { typed, type, errors, isValid, attempt, discard } = useForm(draft, {
    schema: taskChanges,
    input: draft.typed,
    early: 'too long',
  })
  const update = useUpdateTask(board.id)
  const tick = useTick(board.id)
  const title = useRef<HTMLTextAreaElement>(null)
  const changes = changedFields(current, typed)
  const changed = Object.keys(changes).length > 0
  const undecided = EDITABLE.some(draft.isOvertaken)
  const unknown = typed.description !== undefined && !description.isKnown
  useReadOfTask(task.id)
  const close = useSavingOnLeave({
    save() {
      if (!changed) return discard()
      if (!isValid || undecided || unknown) return tellUnsaved(task, reopen)
      void update.run({ taskId: task.id, changes, base: baseOf(task, current, changes) }).then((outcome) => outcome && discard())
    },
    onClose,
  })
  const reopen = useReopen(board.id, task.id)
  const changedBy = useOthersChanges(board, task.id, [changes.title, changes.description].filter(Boolean).join('\n\n'), () => {
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
                <Description
                  tied={tied}
                  stored={current.description}
                  loading={description.isFetching}
                  typed={typed.description}
                  readOnly={locked}
                  onType={(text) => type({ description: text })}
                  onTick={(box) => void tick(task, description, box)}
                />
              )}
            </Field>
            <Attachments board={board} task={task} locked={locked} />
            <TaskActivity board={board} taskId={task.id} />
          </>
        }
        conversation={<Comments board={board} task={task} locked={locked} />}
        information={
          <TaskInformation board={board} task={task} locked={locked} onClose={close.unsaved}>
            <Field label="Status" question={question('status')}>
              {(tied) => (
                <StatusSelect
                  {...tied}
                  disabled={locked}
                  value={STATUSES.find((status) => status === typed.status) ?? task.status}
                  onChange={(status: Status) => type({ status })}
                />
              )}
            </Field>
          </TaskInformation>
        }
      />
      <DialogFooter>
        <div role="status" className="mr-auto">
          <Reconnecting />
        </div>
        {unread}
        {undecided && <p className="mr-auto text-quiet text-small">Decide first which text stays.</p>}
        {changed && (
          <Button look="quiet" onClick={discard}>
            Discard changes
          </Button>
        )}
        <Button look="primary" onClick={save} disabled={undecided || unknown}>
          {changed ? 'Save & Close' : 'Close'}
        </Button>
      </DialogFooter>
    </>
  )
  return <GatheredTryAgain text="Not all of this task could be loaded.">{contents}</GatheredTryAgain>
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
