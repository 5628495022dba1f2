import { Check, Circle } from 'lucide-react'
import { useMemo } from 'react'
import { countText } from '../../basics'
import { TASK_TITLE_MAX } from '../../tasks/basics'
import { isTooLong, type ListedTask, tasksIn } from '../basics'

const SHOWN = 20

/** What a list would make; of many, the first ones, and each that is too long. */
export function ListPreview({ list }: { list: string }) {
  const tasks = useMemo(() => tasksIn(list), [list])
  const shown = tasks.filter((task, nth) => nth < SHOWN || isTooLong(task)).slice(0, 2 * SHOWN)
  const done = tasks.filter(({ status }) => status === 'done').length
  return (
    <section aria-label="What will be made" className="flex flex-col gap-2">
      <p className="tabular text-quiet" aria-live="polite">
        {tasksText(tasks.length)}
        {done > 0 && `, ${done} of them in Done`}
      </p>
      {tasks.length > 0 && (
        <ul aria-label="Tasks" className="flex flex-col gap-1 rounded-card bg-column px-3 py-2">
          {shown.map((task) => (
            <Row key={task.row} task={task} />
          ))}
        </ul>
      )}
      {tasks.length > shown.length && (
        <p className="tabular text-quiet text-small">and {(tasks.length - shown.length).toLocaleString('en-CA')} more</p>
      )}
    </section>
  )
}

const tasksText = (count: number) => (count === 0 ? 'No tasks yet' : countText(count, 'task'))

function Row({ task }: { task: ListedTask }) {
  const Icon = task.status === 'done' ? Check : Circle
  return (
    <li className="flex items-start gap-2">
      <Icon className="mt-1 size-3.5 shrink-0 text-quiet" aria-label={task.status === 'done' ? 'Done' : 'To Do'} />
      <span className="min-w-0">
        <span dir="auto" className="line-clamp-2 wrap-anywhere">
          {task.title}
        </span>
        {isTooLong(task) && (
          <span className="tabular block text-danger text-small">
            Line {task.row} has {task.title.length} characters, {TASK_TITLE_MAX} at most
          </span>
        )}
      </span>
    </li>
  )
}
