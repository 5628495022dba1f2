import { use, useRef } from 'react'
import { mayDeleteTask } from '../../access'
import type { Board } from '../../boards/schema'
import { addDays, dayAt, mondayOf } from '../../days'
import { useTimerOf } from '../../time/page/useTimerToggles'
import { useViewer } from '../../users/page/viewer'
import { displayName, type UserSummary } from '../../users/schema'
import { submitWithUndo } from '../../web/live/undoableChanges'
import { Calendar } from '../../web/ui/DayInput'
import { Dialog } from '../../web/ui/Dialog'
import { MenuCheckbox, MenuItem } from '../../web/ui/Menu'
import { STATUS_LABELS, STATUSES, type Status } from '../limits'
import type { Task } from '../schema'
import { assign, unassign, update } from './cache'
import { isAssigned } from './display'
import { MovesContext, useLeaveWhenDeleted } from './useKeyboardMove'

export function People({ board, task }: { board: Board; task: Task }) {
  const change = (user: UserSummary, isAssigned: boolean) =>
    void (isAssigned
      ? submitWithUndo(board.id, unassign, { taskId: task.id, userId: user.id })
      : submitWithUndo(board.id, assign, { taskId: task.id, user }))
  return <AssigneeItems members={board.members} tasks={[task]} onChange={change} />
}

type AssigneeItemsProps = { members: UserSummary[]; tasks: Task[]; onChange(user: UserSummary, isAssigned: boolean): void }

/** The viewer first. Those assigned to all of the tasks are checked. */
export function AssigneeItems({ members, tasks, onChange }: AssigneeItemsProps) {
  const viewer = useViewer()
  const isViewer = ({ id }: UserSummary) => id === viewer.id
  return [...members.filter(isViewer), ...members.filter((user) => !isViewer(user))].map((user) => {
    const count = tasks.filter((task) => isAssigned(task, user)).length
    const isOfAll = count === tasks.length
    return (
      <MenuCheckbox
        key={user.id}
        checked={isOfAll || (count > 0 && 'indeterminate')}
        onCheckedChange={() => onChange(user, isOfAll)}
      >
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {displayName(user)}
          {isViewer(user) && ' (you)'}
        </span>
        {count > 0 && !isOfAll && (
          <span className="tabular text-quiet text-small">
            {count} of {tasks.length}
          </span>
        )}
      </MenuCheckbox>
    )
  })
}

export function Due({ boardId, task, onOther }: { boardId: number; task: Task; onOther(): void }) {
  const today = dayAt(new Date())
  const set = (dueDate: string | null) => void submitWithUndo(boardId, update, { taskId: task.id, changes: { dueDate } })
  return (
    <>
      <MenuItem onSelect={() => set(today)}>Today</MenuItem>
      <MenuItem onSelect={() => set(addDays(today, 1))}>Tomorrow</MenuItem>
      <MenuItem onSelect={() => set(addDays(mondayOf(today), 7))}>Next Monday</MenuItem>
      <MenuItem onSelect={onOther}>Pick a date…</MenuItem>
      {task.dueDate && <MenuItem onSelect={() => set(null)}>No due date</MenuItem>}
    </>
  )
}

export type Dating = { task: Task; from: HTMLElement }

export function OtherDay({ boardId, dating, onClose }: { boardId: number; dating: Dating | null; onClose(): void }) {
  const last = useRef(dating)
  if (dating) last.current = dating
  const task = dating?.task
  useLeaveWhenDeleted(task, onClose)
  const giveBack = () => {
    last.current?.from.focus({ preventScroll: true })
    return true
  }
  const pick = (dueDate: string) => {
    if (task) void submitWithUndo(boardId, update, { taskId: task.id, changes: { dueDate } })
    onClose()
  }
  return (
    <Dialog open={task !== undefined} onOpenChange={onClose} title="Due date" passesFocus={giveBack}>
      <Calendar
        day={task?.dueDate ?? ''}
        today={dayAt(new Date())}
        past={false}
        onPick={pick}
        fallback={<div className="h-79 w-60" aria-busy />}
        onLost={onClose}
      />
    </Dialog>
  )
}

export function TimerItem({ task }: { task: Task }) {
  const { isRunning, isOffered, toggle } = useTimerOf(task)
  return isOffered && <MenuItem onSelect={toggle}>{isRunning ? 'Stop timer' : 'Start timer'}</MenuItem>
}

export function Moves({ task, onMove }: { task: Task; onMove(): void }) {
  const { tasks, moveTo } = use(MovesContext)
  const inColumn = (status: Status) => tasks.filter((other) => other.status === status)
  const own = inColumn(task.status)
  const index = own.findIndex(({ id }) => id === task.id)
  const move = (status: Status, to: number) => {
    onMove()
    moveTo(task, status, to)
  }
  return (
    <>
      <MenuItem disabled={index <= 0} onSelect={() => move(task.status, index - 1)}>
        Move up
      </MenuItem>
      <MenuItem disabled={index === own.length - 1} onSelect={() => move(task.status, index + 1)}>
        Move down
      </MenuItem>
      {STATUSES.filter((status) => status !== task.status).map((status) => (
        <MenuItem key={status} onSelect={() => move(status, inColumn(status).length)}>
          Move to {STATUS_LABELS[status]}
        </MenuItem>
      ))}
    </>
  )
}

export function DeleteItem({ board, task, onSelect }: { board: Board; task: Task; onSelect(): void }) {
  const viewer = useViewer()
  if (!mayDeleteTask(viewer, board, task)) return null
  return (
    <MenuItem className="text-danger" onSelect={onSelect}>
      Delete
    </MenuItem>
  )
}
