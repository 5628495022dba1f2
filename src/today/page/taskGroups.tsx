import type { ComponentProps, ReactNode } from 'react'
import { numberText } from '../../basics'
import { GROUPS, type Group, groupOf } from '../basics'
import type { OwnTask } from '../schema'

const NAMES: Record<Group, string> = {
  overdue: 'Overdue',
  today: 'Today',
  week: 'This week',
  later: 'Later',
  undated: 'Without a date',
}

/** How many show at first. */
export const SHOWN: Record<Group, number> = { overdue: 10, today: 20, week: 10, later: 5, undated: 5 }

export type TaskGroup = { group: Group; tasks: OwnTask[] }

/** Each task is where the one that `placedAs` answers would be. */
export function groupsOf(tasks: OwnTask[], day: string, placedAs = (task: OwnTask) => task): TaskGroup[] {
  const sorted = tasks.toSorted((a, b) => byDue(placedAs(a), placedAs(b)))
  const groups = Map.groupBy(sorted, (task) => groupOf(placedAs(task), day))
  return GROUPS.flatMap((group) => {
    const tasks = groups.get(group)
    return tasks ? { group, tasks } : []
  })
}

const LAST = '9999'

/** What is done comes last. */
const byDue = (a: OwnTask, b: OwnTask) =>
  Number(a.status === 'done') - Number(b.status === 'done') || compared(a.dueDate ?? LAST, b.dueDate ?? LAST) || a.id - b.id

/** Days are in order as they are written; a locale's order would take long to load. */
const compared = (a: string, b: string) => Number(a > b) - Number(a < b)

type FrameProps = ComponentProps<'section'> & { more: boolean }

export const GroupsFrame = ({ more, children, ...rest }: FrameProps) => (
  <section aria-label="My tasks" className="flex min-w-0 flex-col gap-6" {...rest}>
    {children}
    {more && <p className="text-quiet">There are more. Those that are due first are here.</p>}
  </section>
)

export function GroupFrame({ group, tasks, below, children }: TaskGroup & { below: ReactNode; children: ReactNode }) {
  const id = `tasks-${group}`
  const left = tasks.filter(({ status }) => status !== 'done').length
  return (
    <section aria-labelledby={id} className="flex flex-col">
      <h2 id={id} className={`tabular flex gap-2 pb-1 font-strong ${group === 'overdue' ? 'text-accent' : ''}`}>
        {NAMES[group]} <span className="font-normal text-quiet">{numberText(left)}</span>
      </h2>
      <ul className="-mx-3 flex flex-col max-sm:-mx-2">{children}</ul>
      {below}
    </section>
  )
}

export const MORE = 'tabular mt-1 self-start rounded-card py-1 text-quiet underline underline-offset-4 hover:text-text'

export const NoTasks = () => (
  <section aria-label="My tasks" className="flex flex-col gap-1 self-start">
    <h2 className="font-strong">Nothing is waiting for you</h2>
    <p className="max-w-[60ch] text-pretty text-quiet">
      Tasks that you are assigned to, on whichever board, show here by the day on which they are due. Open a board and assign
      yourself to one.
    </p>
  </section>
)
