import Plus from 'lucide-react/icons/plus'
import Trash2 from 'lucide-react/icons/trash'
import X from 'lucide-react/icons/x'
import { type KeyboardEvent, type ReactNode, use, useRef, useState } from 'react'
import { mayDeleteTask } from '../../access'
import { useBoardView } from '../../boards/page/cache'
import type { Board } from '../../boards/schema'
import { dateTimeText } from '../../format'
import { Avatar } from '../../users/page/Avatar'
import { usePeopleSearch } from '../../users/page/People'
import { useViewer } from '../../users/page/viewer'
import { displayName, type UserSummary } from '../../users/schema'
import { useDay } from '../../web/clock'
import { submitWithUndo } from '../../web/live/undoableChanges'
import { Button, SmallIconButton } from '../../web/ui/Button'
import { Confirm } from '../../web/ui/Confirm'
import { TASK_FIELDS, type TaskField } from '../limits'
import type { Task } from '../schema'
import { assign, deleteTask, unassign, update } from './cache'
import { dayState, deletionText, tagsOf } from './display'
import { DueInput, PROPERTY, PROPERTY_LABEL, Property, TagInput } from './taskFields'
import { MovesContext, useLeaveWhenDeleted } from './useKeyboardMove'

const PART = 'max-md:rounded-panel max-md:bg-column max-md:p-4'

type FieldProps = { board: Board; task: Task; locked: boolean }
type Props = FieldProps & { onClose(): void; time: ReactNode; children: ReactNode }

/** What the task is, with its status as `children`; then its time, which grows; rarely used parts come last. */
export function TaskInformation({ board, task, locked, onClose, time, children }: Props) {
  const viewer = useViewer()
  useLeaveWhenDeleted(task)
  return (
    <aside
      className="dense flex flex-col gap-4 rounded-panel bg-column p-4 max-md:contents lg:min-h-full lg:pt-3.75 lg:forced-colors:outline-none! lg:low:gap-3"
      aria-labelledby="task-information"
    >
      <h2 id="task-information" className="font-strong max-md:sr-only">
        Task Information
      </h2>
      <div className="flex flex-col gap-2 max-md:order-1">
        {children}
        <Assignees board={board} task={task} locked={locked} />
        {FIELD_INPUTS.map(
          ([field, FieldInput]) => FieldInput && <FieldInput key={field} board={board} task={task} locked={locked} />,
        )}
      </div>
      <div className={`max-md:order-3 ${PART}`}>{time}</div>
      <dl className={`flex flex-col gap-1 max-md:order-5 ${PART}`}>
        <Fact name="Created">{dateTimeText(task.createdAt)}</Fact>
        <Fact name="Last Updated">{task.updatedAt ? dateTimeText(task.updatedAt) : 'Never'}</Fact>
      </dl>
      {!locked && mayDeleteTask(viewer, board, task) && (
        <section
          className={`mt-auto flex flex-wrap items-center justify-between gap-x-2 max-md:order-5 ${PART} panel-foot`}
          aria-label="Quick Actions"
        >
          <h3 className="text-quiet text-small">Quick Actions</h3>
          <DeleteTask boardId={board.id} task={task} onClose={onClose} />
        </section>
      )}
    </aside>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={PROPERTY}>
    <dt className="text-quiet">{name}</dt>
    <dd className="tabular">{children}</dd>
  </div>
)

/** Asks only if comments, files or time would be deleted too; a deletion can be undone. */
function DeleteTask({ boardId, task, onClose }: { boardId: number; task: Task; onClose(): void }) {
  const [asking, setAsking] = useState(false)
  const { leave } = use(MovesContext)
  const text = deletionText(task, useBoardView(boardId)?.timers)
  const remove = () => {
    leave(task)
    void submitWithUndo(boardId, deleteTask, { taskId: task.id })
    onClose()
  }
  return (
    <>
      <Button look="quiet-danger" size="small" className="-mr-3" onClick={() => (text ? setAsking(true) : remove())}>
        <Trash2 className="size-3.5" aria-hidden />
        Delete Task
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Delete this task?"
        text={text ?? ''}
        action="Delete Task"
        onConfirm={remove}
      />
    </>
  )
}

function DueDate({ board, task, locked }: FieldProps) {
  const today = useDay()
  const isPast = task.dueDate !== null && task.status !== 'done' && dayState(task.dueDate, today) === 'past'
  return (
    <div className={isPast ? '[&_input]:font-strong [&_input]:text-accent' : ''}>
      <Property label={TASK_FIELDS.dueDate}>
        {(id) => (
          <DueInput
            id={id}
            disabled={locked}
            due={task.dueDate}
            onChange={(dueDate) => void submitWithUndo(board.id, update, { taskId: task.id, changes: { dueDate } })}
          />
        )}
      </Property>
    </div>
  )
}

function Tags({ board, task, locked }: FieldProps) {
  const known = tagsOf(useBoardView(board.id)?.tasks ?? [])
  return (
    <Property label={TASK_FIELDS.tags}>
      {(id) => (
        <TagInput
          id={id}
          disabled={locked}
          addsOnLeave
          tags={task.tags}
          known={known}
          onChange={(tags) => void submitWithUndo(board.id, update, { taskId: task.id, changes: { tags } })}
        />
      )}
    </Property>
  )
}

/** In this order; null if the input is elsewhere in the dialog. */
const INPUTS: Record<TaskField, ((props: FieldProps) => ReactNode) | null> = {
  title: null,
  description: null,
  status: null,
  dueDate: DueDate,
  tags: Tags,
}
const FIELD_INPUTS = Object.entries(INPUTS)

function Assignees({ board, task, locked }: { board: Board; task: Task; locked: boolean }) {
  const [managing, setManaging] = useState(false)
  const manage = useRef<HTMLButtonElement>(null)
  const others = board.members.filter((member) => !task.assignees.some(({ id }) => id === member.id))
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !managing) return
    setManaging(false)
    manage.current?.focus()
  }
  return (
    <section
      aria-labelledby="assigned"
      data-own-escape={managing || undefined}
      onKeyDown={onKeyDown}
      className="flex flex-col gap-2"
    >
      <div className={PROPERTY}>
        <h3 id="assigned" className={PROPERTY_LABEL}>
          Assigned users
        </h3>
        <div className="flex flex-wrap items-center">
          {task.assignees.length === 0 && <p className="text-quiet">No one is assigned</p>}
          <ul className="contents">
            {task.assignees.map((user) => (
              <li key={user.id} className="flex min-h-field min-w-0 items-center gap-2 not-last:pr-3">
                <Avatar user={user} />
                <span dir="auto" className="min-w-0 truncate">
                  {displayName(user)}
                </span>
                {managing && (
                  <SmallIconButton
                    icon={X}
                    label={`Unassign ${displayName(user)}`}
                    data-ignore-second-press
                    onClick={() => void submitWithUndo(board.id, unassign, { taskId: task.id, userId: user.id })}
                    className="-ml-1 rounded-full hover:bg-hover"
                  />
                )}
              </li>
            ))}
          </ul>
          {!locked && (
            <Button
              ref={manage}
              look="quiet"
              size="small"
              className="-mr-3 ml-auto"
              aria-expanded={managing}
              onClick={() => setManaging(!managing)}
            >
              {managing ? 'Done' : 'Manage'}
            </Button>
          )}
        </div>
      </div>
      {managing && others.length > 0 && (
        <ToAssign
          people={others}
          creator={board.createdBy}
          onAssign={(user) => void submitWithUndo(board.id, assign, { taskId: task.id, user })}
        />
      )}
    </section>
  )
}

type ToAssignProps = { people: UserSummary[]; creator: number | null; onAssign(user: UserSummary): void }

function ToAssign({ people, creator, onAssign }: ToAssignProps) {
  const { found, field } = usePeopleSearch(people)
  return (
    <>
      {field}
      <ul
        className="flex max-h-48 flex-col overflow-y-auto rounded-card bg-surface max-md:bg-column p-1"
        aria-label="Members to assign"
      >
        {found.map((user) => (
          <li key={user.id}>
            <button
              type="button"
              data-ignore-second-press
              onClick={() => onAssign(user)}
              className="flex min-h-control w-full items-center gap-2 rounded-card px-2 py-1.5 text-left hover:bg-hover"
            >
              <Avatar user={user} />
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {displayName(user)}
              </span>
              {user.id === creator && <span className="text-quiet text-small">Creator</span>}
              <Plus className="size-4 text-quiet" aria-hidden />
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
