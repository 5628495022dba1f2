import { type ReactNode, useState } from 'react'
import { useViewer } from '../../../auth/page/cache'
import { WEEKDAYS, weekdayOf, weekOf } from '../../../basics'
import { shortDay } from '../../../schema'
import { useMedia } from '../../../web/useMedia'
import { clockOf } from '../../entries/basics'
import { ConfirmDelete } from '../../entries/page/DeleteTime'
import type { TimeEntry } from '../../entries/schema'
import { type Group, minutesOf } from './cells'
import { DayTabs } from './DayTabs'
import { SheetGroup } from './SheetGroup'
import { walkSheet } from './useSheetKeys'

type Props = { from: string; today: string; groups: Group[]; now: number; more: boolean; addRow: ReactNode }

/** Tailwind's `md`: below, one day is shown at a time. */
const WIDE = '(min-width: 48rem)'

export function Sheet({ from, today, groups, now, more, addRow }: Props) {
  const week = weekOf(from, weekdayOf(from))
  const isWide = useMedia(WIDE)
  const [day, setDay] = useState(week.includes(today) ? today : from)
  const [deleted, setDeleted] = useState<TimeEntry>()
  const viewer = useViewer()
  const rows = groups.flatMap(({ rows }) => rows)
  const entries = rows.flatMap((row) => row.entries)
  const sumOf = (day: string) =>
    minutesOf(
      entries.filter((entry) => entry.day === day),
      now,
    )
  const sums = week.map(sumOf)
  const days = isWide ? week : [day]
  let before = 0
  return (
    <>
      {!isWide && <DayTabs week={week} day={day} today={today} sums={sums} onDay={setDay} />}
      <div className="relative -mx-1 min-h-0 overflow-auto px-1">
        <table className="w-full border-separate border-spacing-0" onKeyDown={walkSheet} aria-label="My time">
          <thead className="sticky top-0 z-10 bg-paper text-quiet text-small">
            <tr>
              <th scope="col" className="border-line border-b py-2 text-left font-normal">
                Task
              </th>
              {days.map((day) => (
                <th
                  key={day}
                  scope="col"
                  className={`tabular w-18 border-line border-b px-2 py-2 text-right font-normal ${day === today ? 'font-strong text-text' : ''}`}
                >
                  {WEEKDAYS[weekdayOf(day)]} <span className="block">{shortDay(day)}</span>
                </th>
              ))}
              {isWide && (
                <th scope="col" className="w-20 border-line border-b py-2 pl-3 text-right font-normal">
                  Sum
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
                viewer={viewer}
                onEmptied={setDeleted}
              />
            )
          })}
          {rows.length === 0 && (
            <tbody>
              <tr>
                <td colSpan={days.length + 2} className="py-16 text-center text-quiet">
                  <span className="mx-auto block max-w-80 text-pretty">
                    No time in this week. Add a row, and write what you worked each day: 1:30, 1.5, 1h 30m or 90m.
                  </span>
                </td>
              </tr>
            </tbody>
          )}
          <tfoot className="sticky bottom-0 z-10 bg-paper">
            <tr>
              <th scope="row" className="border-line border-t py-2 text-left font-normal">
                {addRow}
              </th>
              {days.map((day) => (
                <td key={day} className="tabular border-line border-t px-2 py-2 text-right font-strong">
                  {sumOf(day) > 0 ? clockOf(sumOf(day)) : <span className="font-normal text-quiet">–</span>}
                </td>
              ))}
              {isWide && (
                <td className="tabular border-line border-t py-2 pl-3 text-right font-strong">
                  {clockOf(sums.reduce((sum, minutes) => sum + minutes, 0))}
                </td>
              )}
            </tr>
          </tfoot>
        </table>
      </div>
      {more && <p className="text-quiet text-small">Only the last 2,000 entries of this week are shown.</p>}
      <ConfirmDelete
        boardId={deleted?.boardId ?? 0}
        entry={deleted}
        open={deleted !== undefined}
        onOpenChange={(open) => !open && setDeleted(undefined)}
        onDeleted={() => {}}
      />
    </>
  )
}
