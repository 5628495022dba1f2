import { useState } from 'react'
import type { BoardListItem } from '../../boards/schema'
import { useKnownTimers } from '../../time/timers/page/useTimers'
import type { Timer } from '../../time/timers/schema'
import { GROUPS, type Group, groupOf, type OwnTask, type Today } from '../schema'
import { isDoneOn, useDay } from './day'
import { TaskRow } from './TaskRow'

const NAMES: Record<Group, string> = {
  overdue: 'Overdue',
  today: 'Today',
  week: 'This week',
  later: 'Later',
  undated: 'Without a date',
}

/** How many show at first. */
const SHOWN: Record<Group, number> = { overdue: 10, today: 20, week: 10, later: 5, undated: 5 }

type Props = { today: Today; boards: BoardListItem[] }

export function MyTasks({ today, boards }: Props) {
  const day = useDay()
  const known = useKnownTimers()
  const timers = known && new Map(known.map((timer) => [timer.taskId, timer]))
  const byId = new Map(boards.map((board) => [board.id, board]))
  const tasks = today.tasks.filter((task) => byId.has(task.boardId) && (task.status !== 'done' || isDoneOn(task, day)))
  const groups = Map.groupBy(tasks.toSorted(byDue), (task) => groupOf(task, day))
  if (tasks.length === 0) return <NoTasks />
  return (
    <section aria-label="My tasks" className="flex min-w-0 flex-col gap-6">
      {GROUPS.map((group) => {
        const some = groups.get(group)
        return some && <TaskGroup key={group} group={group} tasks={some} day={day} boards={byId} timers={timers} />
      })}
      {today.more && <p className="text-quiet">There are more. Those that are due first are here.</p>}
    </section>
  )
}

const LAST = '9999'

/** What is done comes last. */
const byDue = (a: OwnTask, b: OwnTask) =>
  Number(a.status === 'done') - Number(b.status === 'done') || compared(a.dueDate ?? LAST, b.dueDate ?? LAST) || a.id - b.id

/** Days are in order as they are written; a locale's order would take long to load. */
const compared = (a: string, b: string) => Number(a > b) - Number(a < b)

type GroupProps = {
  group: Group
  tasks: OwnTask[]
  day: string
  boards: Map<number, BoardListItem>
  timers: Map<number, Timer> | undefined
}

function TaskGroup({ group, tasks, day, boards, timers }: GroupProps) {
  const [all, setAll] = useState(false)
  const id = `tasks-${group}`
  const shown = all ? tasks : tasks.slice(0, SHOWN[group])
  const left = tasks.filter(({ status }) => status !== 'done').length
  return (
    <section aria-labelledby={id} className="flex flex-col">
      <h2 id={id} className={`tabular flex gap-2 pb-1 font-strong ${group === 'overdue' ? 'text-accent' : ''}`}>
        {NAMES[group]} <span className="font-normal text-quiet">{left}</span>
      </h2>
      <ul className="-mx-3 flex flex-col max-sm:-mx-2">
        {shown.map((task) => (
          <TaskRow
            key={task.id}
            task={task}
            day={day}
            board={boards.get(task.boardId)}
            timer={timers?.get(task.id)}
            timed={timers !== undefined}
          />
        ))}
      </ul>
      {tasks.length > shown.length && (
        <button
          type="button"
          onClick={() => setAll(true)}
          className="tabular mt-1 self-start rounded-card py-1 text-quiet underline underline-offset-4 hover:text-text"
        >
          Show {tasks.length - shown.length} more
        </button>
      )}
    </section>
  )
}

const NoTasks = () => (
  <section aria-label="My tasks" className="flex flex-col gap-1 self-start">
    <h2 className="font-strong">Nothing is waiting for you</h2>
    <p className="max-w-[60ch] text-pretty text-quiet">
      Tasks that you are assigned to, on whichever board, show here by the day on which they are due. Open a board and assign
      yourself to one.
    </p>
  </section>
)
