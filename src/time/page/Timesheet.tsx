import { Link } from '@tanstack/react-router'
import Lock from 'lucide-react/icons/lock'
import { type KeyboardEvent, memo, type ReactNode, useState } from 'react'
import { useIsLocked } from '../../boards/page/cache'
import { shortDay, WEEKDAYS, weekdayOf, weekOf } from '../../days'
import { taskHash } from '../../tasks/page/taskUrl'
import { stableKey } from '../../web/live/temporaryIds'
import { sameProps } from '../../web/sameProps'
import { useMedia } from '../../web/useMedia'
import { clockOf } from '../limits'
import type { TimeEntry } from '../schema'
import { ConfirmDelete } from './EditTime'
import { type Group, minutesOf, type Row } from './myTimeCache'
import { TimesheetCell } from './TimesheetCell'

type Props = { from: string; today: string; groups: Group[]; now: number; more: boolean; addTask: ReactNode }

/** Tailwind's `md`; narrower pages show one day at a time. */
const WIDE = '(min-width: 48rem)'

export function Timesheet({ from, today, groups, now, more, addTask }: Props) {
  const week = weekOf(from, weekdayOf(from))
  const isWide = useMedia(WIDE)
  const [day, setDay] = useState(week.includes(today) ? today : from)
  const [deleted, setDeleted] = useState<TimeEntry>()
  const rows = groups.flatMap(({ rows }) => rows)
  const entries = rows.flatMap((row) => row.entries)
  const byDay = Map.groupBy(entries, ({ day }) => day)
  const sumOf = (day: string) => minutesOf(byDay.get(day) ?? [], now)
  const days = isWide ? week : [day]
  let before = 0
  return (
    <>
      {!isWide && <DayTabs week={week} day={day} today={today} sumOf={sumOf} onDay={setDay} />}
      <div className="relative -mx-1 min-h-0 shrink overflow-auto px-1 short:min-h-fit short:overflow-visible">
        <table className="w-full border-separate border-spacing-0" onKeyDown={walkSheet} aria-label="My time">
          {/* The single day shown is chosen right above. */}
          <thead className={isWide ? 'sticky top-0 z-10 bg-paper text-quiet text-small' : 'sr-only'}>
            <tr>
              <th scope="col" className="border-line border-b py-2 text-left font-normal">
                Task
              </th>
              {days.map((day) => (
                <th
                  key={day}
                  scope="col"
                  className={`tabular w-18 pointer-coarse:w-20 border-line border-b px-2 py-2 text-right font-normal ${day === today ? 'font-strong text-text' : ''}`}
                >
                  {WEEKDAYS[weekdayOf(day)]} <span className="block">{shortDay(day)}</span>
                </th>
              ))}
              {isWide && (
                <th scope="col" className="w-16 border-line border-b py-2 pl-2 text-right font-normal">
                  Total
                </th>
              )}
            </tr>
          </thead>
          {groups.map((group) => {
            const first = before
            before += group.rows.length
            return (
              <SheetGroup
                key={group.boardId}
                group={group}
                first={first}
                days={days}
                now={now}
                wide={isWide}
                onEmptied={setDeleted}
              />
            )
          })}
          {rows.length === 0 && (
            <tbody>
              <tr>
                <td colSpan={days.length + 2} className="py-16 text-center text-quiet short:py-2">
                  <span className="mx-auto block max-w-80 text-pretty">
                    Nothing logged for this week. Add a task and enter your time for each day: 1:30, 1.5, 1h 30m or 90m.
                  </span>
                </td>
              </tr>
            </tbody>
          )}
          <tfoot className="sticky bottom-0 z-10 bg-paper before:pointer-events-none before:absolute before:inset-x-0 before:bottom-full before:h-4 before:bg-linear-to-t before:from-paper">
            <tr>
              <th scope="row" className="border-line border-t py-2 text-left font-normal">
                {addTask}
              </th>
              {days.map((day) => (
                <td key={day} className="tabular border-line border-t px-2 py-2 text-right font-strong pointer-coarse:text-touch">
                  {sumOf(day) > 0 ? clockOf(sumOf(day)) : <span className="font-normal text-quiet">–</span>}
                </td>
              ))}
              {isWide && (
                <td className="tabular border-line border-t py-2 pl-2 text-right font-strong">
                  {clockOf(minutesOf(entries, now))}
                </td>
              )}
            </tr>
          </tfoot>
        </table>
      </div>
      {entries.length > 0 && (
        <p className="text-quiet text-small pointer-coarse:hidden">Press Shift+F2 in a cell with time to add a note.</p>
      )}
      {more && <p className="text-quiet text-small">Only the last 2,000 entries of this week are shown.</p>}
      <ConfirmDelete entry={deleted} onClose={() => setDeleted(undefined)} />
    </>
  )
}

type Shared = { days: string[]; wide: boolean; onEmptied(entry: TimeEntry): void }
type GroupProps = Shared & { group: Group; first: number; now: number }

/** `first` is the number of rows before. */
function SheetGroup({ group: { boardId, board, rows }, first, now, ...shared }: GroupProps) {
  const locked = useIsLocked(boardId)
  return (
    <tbody className="last-of-type:[&>:last-child>:is(th,td)]:pb-4">
      <tr>
        <th
          scope="rowgroup"
          colSpan={shared.days.length + 2}
          className="wrap-anywhere pt-4 pb-1 text-left font-normal text-quiet text-small"
        >
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
          key={stableKey('task', row.id)}
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
    <tr data-row={id}>
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
        <td key={day} className={wide ? 'p-0.5' : 'w-18 py-0.5 pl-0.5'}>
          <TimesheetCell
            task={task}
            day={day}
            entries={entries.filter((entry) => entry.day === day)}
            now={now}
            place={`${nth} ${column}`}
            {...rest}
          />
        </td>
      ))}
      {wide && <td className="tabular py-0.5 pl-2 text-right text-quiet">{clockOf(minutesOf(entries, now))}</td>}
    </tr>
  )
}, sameProps)

type TabsProps = { week: string[]; day: string; today: string; sumOf(day: string): number; onDay(day: string): void }

/** The days of a week with their sums; if seven do not fit, the chosen day. */
const DayTabs = ({ week, day, today, sumOf, onDay }: TabsProps) => (
  <fieldset className="grid grid-cols-7 gap-1" aria-label="Day">
    {week.map((each) => (
      <button
        key={each}
        type="button"
        aria-pressed={each === day}
        onClick={() => onDay(each)}
        className="flex min-w-0 flex-col items-center rounded-card py-1.5 text-quiet hover:bg-hover aria-pressed:bg-column aria-pressed:text-text"
      >
        <span className={`text-small ${each === today ? 'font-strong text-text' : ''}`}>{WEEKDAYS[weekdayOf(each)]}</span>
        <span className="tabular font-strong">{Number(each.slice(8))}</span>
        <span className="tabular text-small">{sumOf(each) > 0 ? clockOf(sumOf(each)) : '–'}</span>
      </button>
    ))}
  </fieldset>
)

const CELL = '[data-cell]'

function enter(cell: HTMLElement | null) {
  cell?.focus()
  if (cell instanceof HTMLInputElement) cell.select()
}

export const focusRow = (taskId: number) =>
  requestAnimationFrame(() => enter(document.querySelector<HTMLElement>(`[data-row="${taskId}"] ${CELL}`)))

const STEPS: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Enter: [1, 0],
}

/** An arrow leaves a cell at the edge of its text, or if all of it is selected. */
function leaves({ selectionStart, selectionEnd, value }: HTMLInputElement, step: number): boolean {
  if (selectionStart === 0 && selectionEnd === value.length) return true
  return selectionStart === selectionEnd && selectionStart === (step < 0 ? 0 : value.length)
}

/** Moves between cells as in a spreadsheet, skipping those that take no input. */
function walkSheet(event: KeyboardEvent): void {
  const { target, key, currentTarget } = event
  const step = STEPS[key]
  if (!step || !(target instanceof HTMLElement) || !target.matches(CELL)) return
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const isText = target instanceof HTMLInputElement
  if (isText ? step[1] !== 0 && !leaves(target, step[1]) : key === 'Enter') return
  const [row = 0, column = 0] = (target.dataset.cell ?? '').split(' ').map(Number)
  const cells = new Map([...currentTarget.querySelectorAll<HTMLElement>(CELL)].map((cell) => [cell.dataset.cell, cell]))
  const furthest = cells.size
  event.preventDefault()
  for (let nth = 1; nth <= furthest; nth += 1) {
    const cell = cells.get(`${row + nth * step[0]} ${column + nth * step[1]}`)
    if (cell) {
      enter(cell)
      return
    }
  }
  if (isText && key === 'Enter') target.blur()
}
