import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { memo } from 'react'
import { useViewer } from '../../auth/page/cache'
import { shortDay, WEEKDAYS, weekdayOf } from '../../basics'
import type { BoardListItem } from '../../boards/schema'
import type { Status } from '../../tasks/schema'
import type { Timer } from '../../time/timers/schema'
import { Avatars } from '../../users/page/Avatar'
import { groupOf, type OwnTask } from '../schema'
import { useMoveOwnTask } from './moves'
import { TimerToggle } from './TimerToggle'

type Props = { task: OwnTask; day: string; board: BoardListItem | undefined; timer: Timer | undefined; timed: boolean }

export const TaskRow = memo(function TaskRow({ task, day, board, timer, timed }: Props) {
  const viewer = useViewer()
  const locked = board?.locked ?? false
  const done = task.status === 'done'
  return (
    <li className="item flex min-h-11 items-center gap-3 rounded-card px-3 py-1 hover:bg-surface hover:shadow-card max-sm:px-2">
      <Tick task={task} locked={locked} />
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 sm:flex-nowrap">
        <Link
          to="/board/$boardId"
          params={{ boardId: task.boardId }}
          search={{ task: task.id, openTaskDetail: true }}
          dir="auto"
          title={task.title}
          className={`min-w-0 truncate rounded-[4px] py-1 hover:underline max-sm:basis-full max-sm:py-0 sm:flex-1 ${done ? 'text-quiet line-through' : ''}`}
        >
          {task.title}
        </Link>
        <Avatars users={task.assignees.filter(({ id }) => id !== viewer.id)} />
        <bdi className="max-w-40 truncate text-quiet text-small sm:text-right lg:max-w-44">{board?.name}</bdi>
        <Due task={task} day={day} />
      </span>
      {done || !timed ? <span className="size-7 shrink-0" /> : <TimerToggle task={task} timer={timer} locked={locked} />}
    </li>
  )
})

const RINGS: Record<Status, string> = {
  todo: 'border-todo',
  inprogress: 'border-inprogress',
  done: 'border-done bg-done text-surface',
}

function Tick({ task, locked }: { task: OwnTask; locked: boolean }) {
  const { run } = useMoveOwnTask(task.boardId)
  const done = task.status === 'done'
  const tick = () => {
    void run({ task, place: { status: done ? 'todo' : 'done' } })
    // It moves to another list, where it is drawn anew.
    setTimeout(() => document.getElementById(`tick-${task.id}`)?.focus())
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: what a checkbox of the browser shows cannot be drawn
    <button
      type="button"
      role="checkbox"
      id={`tick-${task.id}`}
      aria-checked={done}
      aria-label={`Done: ${task.title}`}
      disabled={locked}
      title={locked ? 'This board is read-only for you' : undefined}
      onClick={tick}
      className={`-m-1 grid size-7 shrink-0 place-items-center rounded-full disabled:cursor-not-allowed disabled:opacity-50 ${done ? '' : 'text-transparent enabled:hover:text-quiet'}`}
    >
      <span className={`grid size-[1.125rem] place-items-center rounded-full border-[1.5px] ${RINGS[task.status]}`}>
        <Check className="size-3" strokeWidth={3} aria-hidden />
      </span>
    </button>
  )
}

function Due({ task, day }: { task: OwnTask; day: string }) {
  const { dueDate } = task
  const group = groupOf({ ...task, status: 'todo' }, day)
  const isLate = group === 'overdue' && task.status !== 'done'
  const text = dueDate && (dueDate === day ? 'Today' : group === 'week' ? WEEKDAYS[weekdayOf(dueDate)] : shortDay(dueDate))
  return (
    <span className={`tabular shrink-0 text-small sm:w-14 sm:text-right ${isLate ? 'font-strong text-accent' : 'text-quiet'}`}>
      {dueDate && (
        <time dateTime={dueDate}>
          <span className="sr-only">{isLate ? 'Overdue: ' : 'Due: '}</span>
          {text}
        </time>
      )}
    </span>
  )
}
