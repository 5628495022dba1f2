import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { shortDay, WEEKDAYS, weekdayOf } from '../../basics'
import type { BoardListItem } from '../../boards/schema'
import type { Status } from '../../tasks/schema'
import { Avatars } from '../../users/page/Avatar'
import { groupOf } from '../basics'
import type { OwnTask } from '../schema'

type LineProps = { task: OwnTask; day: string; board: BoardListItem | undefined; viewerId: number }

/** What a task of one's own says; `tick`, `title` and `timer` are what acts on it, or stands there before it can. */
export const TaskLine = ({
  task,
  day,
  board,
  viewerId,
  tick,
  title,
  timer,
}: LineProps & Record<'tick' | 'title' | 'timer', ReactNode>) => (
  <li className="item flex min-h-11 items-center gap-3 rounded-card px-3 py-1 hover:bg-surface hover:shadow-card max-sm:px-2">
    {tick}
    <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 sm:flex-nowrap">
      {title}
      <Avatars users={task.assignees.filter(({ id }) => id !== viewerId)} />
      <bdi className="max-w-40 truncate text-quiet text-small sm:text-right lg:max-w-44">{board?.name}</bdi>
      <Due task={task} day={day} />
    </span>
    {timer}
  </li>
)

export const titleLook = ({ status }: OwnTask) =>
  `min-w-0 truncate rounded-[4px] py-1 hover:underline max-sm:basis-full max-sm:py-0 sm:flex-1 ${status === 'done' ? 'text-quiet line-through' : ''}`

export const TICK = '-m-1 grid size-7 shrink-0 place-items-center rounded-full'

export const NoTimer = () => <span className="size-7 shrink-0" />

const RINGS: Record<Status, string> = {
  todo: 'border-todo',
  inprogress: 'border-inprogress',
  done: 'border-done bg-done text-surface',
}

export const Ring = ({ status }: { status: Status }) => (
  <span className={`grid size-[1.125rem] place-items-center rounded-full border-[1.5px] ${RINGS[status]}`}>
    <Check className="size-3" strokeWidth={3} aria-hidden />
  </span>
)

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
