import { WEEKDAYS, weekdayOf } from '../../../basics'
import { shortDay } from '../../../schema'
import { CellEntries } from './CellEntries'
import { CellInput } from './CellInput'
import type { CellProps } from './cells'

/** A text where it is clear what typing changes; several entries and timers are shown one by one. */
export function Cell(props: CellProps) {
  const { task, day, entries, locked } = props
  const [first, ...others] = entries
  const label = `${task.title}, ${WEEKDAYS[weekdayOf(day)]} ${shortDay(day)}`
  if (first && (locked || others.length > 0 || first.status !== 'completed')) return <CellEntries {...props} label={label} />
  if (locked) return <span className="block h-8 px-2 text-right text-quiet leading-8">–</span>
  return <CellInput {...props} entry={first} label={label} />
}
