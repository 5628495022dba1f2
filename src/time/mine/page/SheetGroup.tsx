import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { memo } from 'react'
import { useIsLocked } from '../../../boards/page/cache'
import { taskHash } from '../../../tasks/page/address'
import type { UserSummary } from '../../../users/schema'
import { firstId } from '../../../web/live/aliases'
import { sameProps } from '../../../web/sameProps'
import { clockOf } from '../../entries/basics'
import type { TimeEntry } from '../../entries/schema'
import { Cell } from './Cell'
import { type Group, minutesOf, type Row } from './cells'

type Shared = { days: string[]; wide: boolean; viewer: UserSummary; onEmptied(entry: TimeEntry): void }
type Props = Shared & { group: Group; first: number; now: number }

/** `first` is the number of rows before. */
export function SheetGroup({ group: { boardId, board, rows }, first, now, ...shared }: Props) {
  const locked = useIsLocked(boardId)
  return (
    <tbody className="last-of-type:[&>:last-child>:is(th,td)]:pb-2">
      <tr>
        <th scope="rowgroup" colSpan={shared.days.length + 2} className="pt-4 pb-1 text-left font-normal text-quiet text-small">
          <bdi>{board}</bdi>
          {locked && (
            <span className="ml-2 inline-flex items-center gap-1">
              <Lock className="size-3" aria-hidden /> Read-only
            </span>
          )}
        </th>
      </tr>
      {rows.map((row, nth) => (
        <SheetRow
          key={firstId('task', row.id)}
          {...row}
          {...shared}
          nth={first + nth}
          locked={locked}
          now={row.entries.some(({ runningSince }) => runningSince) ? now : 0}
        />
      ))}
    </tbody>
  )
}

type RowProps = Row & Shared & { nth: number; locked: boolean; now: number }

const SheetRow = memo(function SheetRow({ id, boardId, title, entries, days, wide, nth, now, ...rest }: RowProps) {
  const task = { id, boardId, title }
  return (
    <tr data-row={id} className="group">
      <th scope="row" className="max-w-0 py-0.5 pr-3 text-left font-normal">
        <Link
          to="/board/$boardId"
          params={{ boardId }}
          search={{}}
          hash={taskHash(id)}
          title={title}
          className="block truncate rounded-card py-1.5 hover:underline"
        >
          <bdi>{title}</bdi>
        </Link>
      </th>
      {days.map((day, column) => (
        <td key={day} className="p-0.5">
          <Cell
            task={task}
            day={day}
            entries={entries.filter((entry) => entry.day === day)}
            now={now}
            place={`${nth} ${column}`}
            {...rest}
          />
        </td>
      ))}
      {wide && <td className="tabular py-0.5 pl-3 text-right text-quiet">{clockOf(minutesOf(entries, now))}</td>}
    </tr>
  )
}, sameProps)
