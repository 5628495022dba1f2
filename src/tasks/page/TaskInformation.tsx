import { Plus, Trash2, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, use, useRef, useState } from 'react'
import { mayDeleteTask } from '../../access'
import { useBoardView } from '../../boards/page/cache'
import type { Board } from '../../boards/schema'
import { dateTimeText } from '../../texts'
import { Avatar } from '../../users/page/Avatar'
import { usePeopleSearch } from '../../users/page/People'
import { useViewer } from '../../users/page/viewer'
import { displayName, type UserSummary } from '../../users/schema'
import { Button } from '../../web/ui/Button'
import { Confirm } from '../../web/ui/Confirm'
import { Field } from '../../web/ui/Field'
import type { Task } from '../schema'
import { useAssign, useDeleteTask, useUnassign, useUpdateTask } from './cache'
import { deletionText, tagsOf } from './display'
import { DueInput, TagInput } from './taskFields'
import { MovesContext } from './useKeyboardMove'

const PART = 'max-md:rounded-panel max-md:bg-column max-md:p-4'

type Props = { board: Board; task: Task; locked: boolean; onClose(): void; time: ReactNode; children: ReactNode }

/** In the order of the specification. On a phone the status, `children`, stands below the title with days and tags, then time and people, and the rest at the end. */
export function TaskInformation({ board, task, locked, onClose, time, children }: Props) {
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
      <div className={`max-md:order-2 ${PART}`}>{time}</div>
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

/** Asks only if comments, files or time would go too; a deletion can be undone. */
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

function DueAndTags({ board, task, locked }: { board: Board; task: Task; locked: boolean }) {
  const update = useUpdateTask(board.id)
  const known = tagsOf(useBoardView(board.id)?.tasks ?? [])
  return (
    <>
      <Field label="Due date">
        {(tied) => (
          <DueInput
            {...tied}
            disabled={locked}
            due={task.dueDate}
            onChange={(dueDate) => void update.run({ taskId: task.id, changes: { dueDate } })}
          />
        )}
      </Field>
      <Field label="Tags">
        {({ id }) => (
          <TagInput
            id={id}
            disabled={locked}
            tags={task.tags}
            known={known}
            onChange={(tags) => void update.run({ taskId: task.id, changes: { tags } })}
          />
        )}
      </Field>
    </>
  )
}

function Assignees({ board, task, locked }: { board: Board; task: Task; locked: boolean }) {
  const [managing, setManaging] = useState(false)
  const manage = useRef<HTMLButtonElement>(null)
  const assign = useAssign(board.id)
  const unassign = useUnassign(board.id)
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
      <div className="flex items-center justify-between">
        <h3 id="assigned" className="font-strong">
          Assigned users
        </h3>
        {!locked && (
          <Button ref={manage} look="quiet" size="small" aria-expanded={managing} onClick={() => setManaging(!managing)}>
            {managing ? 'Done' : 'Manage'}
          </Button>
        )}
      </div>
      {task.assignees.length === 0 && <p className="text-quiet">No one is assigned</p>}
      <ul className="flex flex-wrap gap-2">
        {task.assignees.map((user) => (
          <li key={user.id} className="flex min-w-0 items-center gap-2 rounded-full bg-surface py-1 pr-3 pl-1">
            <Avatar user={user} />
            <span dir="auto" className="min-w-0 truncate">
              {displayName(user)}
            </span>
            {managing && (
              <button
                type="button"
                aria-label={`Unassign ${displayName(user)}`}
                onClick={() => void unassign.run({ taskId: task.id, userId: user.id })}
                className="-mr-1.5 grid size-6 place-items-center rounded-full text-quiet hover:bg-hover hover:text-text"
              >
                <X className="size-3.5" aria-hidden />
              </button>
            )}
          </li>
        ))}
      </ul>
      {managing && others.length > 0 && (
        <ToAssign people={others} creator={board.createdBy} onAssign={(user) => void assign.run({ taskId: task.id, user })} />
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
      <ul className="flex max-h-48 flex-col overflow-y-auto rounded-card bg-surface p-1" aria-label="Members to assign">
        {found.map((user) => (
          <li key={user.id}>
            <AssignButton user={user} creator={user.id === creator} onAssign={() => onAssign(user)} />
          </li>
        ))}
      </ul>
    </>
  )
}

const AssignButton = ({ user, creator, onAssign }: { user: UserSummary; creator: boolean; onAssign(): void }) => (
  <button
    type="button"
    onClick={onAssign}
    className="flex w-full items-center gap-2 rounded-card px-2 py-1.5 text-left hover:bg-hover"
  >
    <Avatar user={user} />
    <span dir="auto" className="min-w-0 flex-1 truncate">
      {displayName(user)}
    </span>
    {creator && <span className="text-quiet text-small">Creator</span>}
    <Plus className="size-4 text-quiet" aria-hidden />
  </button>
)
