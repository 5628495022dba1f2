import { STATUS_LABELS, STATUSES } from '../../tasks/basics'
import { Select } from '../../web/ui/Select'
import type { Preview } from '../schema'
import { countText } from './display'
import { Folded } from './Folded'
import type { Column } from './useChoices'

type Props = { lists: Preview['lists']; columnAt(nth: number): Column; onChoose(nth: number, column: Column): void }

const LABELS: Record<Column, string> = { ...STATUS_LABELS, leave: 'Leave out' }
const COLUMNS = [...STATUSES, 'leave'] as const

export const ListColumns = ({ lists, columnAt, onChoose }: Props) => (
  <>
    <Folded of={lists} label="Lists">
      {({ name, tasks }, nth) => (
        <li key={nth} className="flex items-center gap-3 py-1.5">
          <div className="min-w-0 flex-1">
            <bdi className="wrap-anywhere line-clamp-2">{name}</bdi>
            <span className="tabular block text-quiet text-small">{countText(tasks, 'task')}</span>
          </div>
          <Select
            className="w-36 shrink-0 sm:w-48"
            aria-label={`Column for ${name}`}
            value={columnAt(nth)}
            onChange={(event) => onChoose(nth, chosenIn(event.target.value))}
          >
            {COLUMNS.map((column) => (
              <option key={column} value={column}>
                {LABELS[column]}
              </option>
            ))}
          </Select>
        </li>
      )}
    </Folded>
    <p className="tabular text-quiet empty:hidden" role="status">
      {leftOut(lists, columnAt)}
    </p>
  </>
)

const chosenIn = (value: string): Column => COLUMNS.find((column) => column === value) ?? 'todo'

function leftOut(lists: Preview['lists'], columnAt: Props['columnAt']): string {
  const tasks = lists.reduce((sum, list, nth) => (columnAt(nth) === 'leave' ? sum + list.tasks : sum), 0)
  return tasks > 0 ? `${countText(tasks, 'task is', 'tasks are')} left out.` : ''
}
