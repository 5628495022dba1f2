import Check from 'lucide-react/icons/check'
import ChevronRight from 'lucide-react/icons/chevron-right'
import type { ComponentProps, ReactNode } from 'react'
import type { BoardListItem } from '../../boards/schema'
import { shortDay, WEEKDAYS, weekdayOf } from '../../days'
import { numberText } from '../../format'
import type { Status } from '../../tasks/schema'
import { Avatars } from '../../users/page/Avatar'
import { GROUPS, type Group, groupOf } from '../groups'
import type { OwnTask } from '../schema'

const GROUP_NAMES: Record<Group, string> = {
  overdue: 'Overdue',
  today: 'Today',
  week: 'This week',
  later: 'Later',
  undated: 'No due date',
}

export const SHOWN_AT_FIRST = 3

export type TaskGroup = { group: Group; tasks: OwnTask[]; folds: boolean }

/** Each task is placed as `placedAs(task)` would be. What is not yet due folds, unless it comes first. */
export function groupsOf(tasks: OwnTask[], day: string, placedAs = (task: OwnTask) => task): TaskGroup[] {
  const sorted = tasks.toSorted((a, b) => byDue(placedAs(a), placedAs(b)))
  const groups = Map.groupBy(sorted, (task) => groupOf(placedAs(task), day))
  const shown = GROUPS.filter((group) => groups.has(group))
  return shown.map((group, nth) => ({
    group,
    tasks: groups.get(group) ?? [],
    folds: nth > 0 && group !== 'overdue' && group !== 'today',
  }))
}

const LAST = '9999'

const byDue = (a: OwnTask, b: OwnTask) =>
  Number(a.status === 'done') - Number(b.status === 'done') || compareDays(a.dueDate ?? LAST, b.dueDate ?? LAST) || a.id - b.id

/** Not by `localeCompare`, which takes long to load. */
const compareDays = (a: string, b: string) => Number(a > b) - Number(a < b)

type FrameProps = ComponentProps<'section'> & { more: boolean }

export const GroupsFrame = ({ more, children, ...rest }: FrameProps) => (
  <section aria-label="My tasks" className="flex min-w-0 flex-col gap-6" {...rest}>
    {children}
    {more && <p className="text-quiet">Only the tasks due soonest are shown.</p>}
  </section>
)

type GroupProps = TaskGroup & { open?: boolean; onFold?(): void; below: ReactNode; children: ReactNode }

export function GroupFrame({ group, tasks, folds, open = false, onFold, below, children }: GroupProps) {
  const id = `tasks-${group}`
  const left = tasks.filter(({ status }) => status !== 'done').length
  const heading = (
    <>
      {GROUP_NAMES[group]} <span className="font-normal text-quiet">{numberText(left)}</span>
      {folds && <ChevronRight className={`size-4 text-quiet ${open ? 'rotate-90' : ''}`} aria-hidden />}
    </>
  )
  return (
    <section aria-labelledby={id} className="flex flex-col">
      <h2 id={id} className={`tabular flex gap-2 font-strong ${group === 'overdue' ? 'text-accent' : ''}`}>
        {folds && onFold ? (
          <button type="button" aria-expanded={open} onClick={onFold} className={FOLD_LOOK}>
            {heading}
          </button>
        ) : (
          <span className={folds ? `${FOLD_LOOK} pointer-events-none` : 'contents'}>{heading}</span>
        )}
      </h2>
      <ul className="-mx-3 flex flex-col pt-1 empty:hidden max-sm:-mx-2">{children}</ul>
      {below}
    </section>
  )
}

const FOLD_LOOK =
  '-my-1.5 flex items-center gap-2 rounded-card py-1.5 font-strong hover:underline underline-offset-4 pointer-coarse:-my-3 pointer-coarse:py-3'

export const MORE_LOOK = 'tabular mt-1 self-start rounded-card py-1 text-quiet underline underline-offset-4 hover:text-text'

export const NoTasks = () => (
  <section aria-label="My tasks" className="flex flex-col gap-1 self-start">
    <h2 className="font-strong">Nothing is waiting for you</h2>
    <p className="max-w-[60ch] text-pretty text-quiet">
      Tasks assigned to you on any board appear here by due date. Open a board and assign yourself to a task.
    </p>
  </section>
)

type LineProps = { task: OwnTask; group: Group; board: BoardListItem | undefined; viewerId: number }

/** `tick`, `title` and `timer` are controls, or placeholders in the server's HTML. */
export const TaskLine = ({
  task,
  group,
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
      <span className="flex max-sm:order-last sm:-my-1">
        <Avatars users={task.assignees.filter(({ id }) => id !== viewerId)} className="max-sm:size-5" />
      </span>
      <bdi className="max-w-40 truncate text-quiet text-small sm:text-right lg:max-w-44">{board?.name}</bdi>
      <Due task={task} group={group} />
    </span>
    {timer}
  </li>
)

export const titleLook = ({ status }: OwnTask) =>
  `min-w-0 truncate rounded-chip py-1 hover:underline max-sm:basis-full max-sm:py-0 sm:flex-1 ${status === 'done' ? 'text-quiet line-through' : ''}`

export const TICK_LOOK = '-m-1 grid size-7 shrink-0 place-items-center rounded-full'

export const NoTimer = () => <span className="size-icon shrink-0 -mr-overhang" />

const RINGS: Record<Status, string> = {
  todo: 'border-todo',
  // Half full, so that colour alone does not tell it from “To Do”.
  inprogress:
    'relative border-inprogress before:absolute before:inset-y-0.5 before:left-0.5 before:w-1.25 before:rounded-l-full before:bg-inprogress',
  done: 'border-done bg-done text-surface',
}

export const Ring = ({ status }: { status: Status }) => (
  <span className={`grid size-[1.125rem] place-items-center rounded-full border-2 forced-color-adjust-none ${RINGS[status]}`}>
    <Check className="size-3" strokeWidth={3} aria-hidden />
  </span>
)

function Due({ task: { dueDate, status }, group }: Pick<LineProps, 'task' | 'group'>) {
  if (!dueDate || group === 'today') return <span className="w-14 shrink-0 max-sm:hidden" />
  const isLate = group === 'overdue' && status !== 'done'
  const text = group === 'week' ? WEEKDAYS[weekdayOf(dueDate)] : shortDay(dueDate)
  return (
    <span className={`tabular shrink-0 text-small sm:w-14 sm:text-right ${isLate ? 'font-strong text-accent' : 'text-quiet'}`}>
      <time dateTime={dueDate}>
        <span className="sr-only">{isLate ? 'Overdue: ' : 'Due: '}</span>
        {text}
      </time>
    </span>
  )
}
