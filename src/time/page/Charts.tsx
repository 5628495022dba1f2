import { type ReactNode, useId } from 'react'
import { addDays, shortDay, weekStartOf } from '../../days'
import { durationText, numberText } from '../../format'
import { displayName } from '../../users/schema'
import { useFirstWeekday } from '../../web/settings'
import { dayText } from '../limits'
import type { Report, ReportFilter } from '../schema'
import { amountText } from './reportCache'

type Props = { report: Report; filter: ReportFilter }

export const Charts = ({ report, filter }: Props) => (
  <div className="grid gap-x-6 gap-y-5 rounded-panel bg-column p-4 max-lg:order-last md:max-lg:grid-cols-3">
    <Days report={report} filter={filter} />
    <Shares
      title="By user"
      shares={report.byUser.map(({ user, ...sums }) => ({ id: user.id, label: displayName(user), ...sums }))}
    />
    <Shares title="By task" shares={report.byTask.map((sums) => taskShare(sums, report))} />
  </div>
)

/** The viewer's own amount next to everyone's time would look like everyone's. */
const taskShare = ({ taskId: id, title: label, ...sums }: Report['byTask'][number], { amounts }: Report): Share => ({
  id,
  label,
  ...sums,
  cents: amounts === 'everyone' ? sums.cents : 0,
})

type ChartProps = { title: string; aside?: ReactNode; children(id: string): ReactNode }

const Chart = ({ title, aside, children }: ChartProps) => {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap justify-between gap-x-2 text-small">
        <h3 id={id} className="font-strong">
          {title}
        </h3>
        {aside && (
          <p aria-hidden className="tabular text-quiet">
            {aside}
          </p>
        )}
      </div>
      {children(id)}
    </section>
  )
}

const share = (minutes: number, most: number) => `${most > 0 ? (minutes / most) * 100 : 0}%`

/** This few bars are shown as lines with day and duration. */
const FEW = 3

function Days({ report, filter }: Props) {
  const { unit, bars } = barsOf(report.byDay, filter, useFirstWeekday())
  const most = Math.max(0, ...bars.map(({ minutes }) => minutes))
  // With the year, they would wrap at most widths.
  const dayOf = ({ start }: Bar) => (allThisYear(bars) ? shortDay(start) : dayText(start))
  const title = `Hours per ${unit}`
  if (bars.length <= FEW)
    return (
      <Chart title={title}>
        {(id) => (
          <ul aria-labelledby={id} data-bars className={LINES}>
            {bars.map((bar) => (
              <Line key={bar.start} label={dayOf(bar)} minutes={bar.minutes} most={most} />
            ))}
          </ul>
        )}
      </Chart>
    )
  return (
    <Chart
      title={title}
      aside={
        <>
          Busiest {unit}: {durationText(most)}
        </>
      }
    >
      {(id) => (
        <>
          {/* The axis ends with the bars. */}
          <div aria-hidden className="flex flex-col gap-2 md:max-lg:flex-1" style={{ maxWidth: `${bars.length * WIDEST}rem` }}>
            <div
              data-bars
              className="flex h-24 items-end gap-px border-line border-b md:max-lg:h-auto md:max-lg:min-h-40 md:max-lg:flex-1"
            >
              {bars.map(({ start, minutes }) => (
                <span
                  key={start}
                  title={`${dayText(start)}: ${durationText(minutes)}`}
                  className="flex h-full min-w-0 flex-1 flex-col justify-end hover:bg-hover"
                >
                  <span className="mx-auto w-full max-w-10 rounded-t-chip bg-quiet" style={{ height: share(minutes, most) }} />
                </span>
              ))}
            </div>
            <p className="tabular flex justify-between gap-2 text-quiet text-small">
              {bars
                .filter((_, nth) => nth === 0 || nth === bars.length - 1)
                .map((bar) => (
                  <span key={bar.start}>{dayOf(bar)}</span>
                ))}
            </p>
          </div>
          {/* A table clipped to one pixel would still take up space, so its wrapper is clipped. */}
          <div className="sr-only">
            <Table labelledby={id} unit={unit} bars={bars} />
          </div>
        </>
      )}
    </Chart>
  )
}

const WIDEST = 3

const allThisYear = (bars: Bar[]) => bars.every(({ start }) => start.startsWith(`${new Date().getFullYear()}-`))

const Table = ({ labelledby, unit, bars }: { labelledby: string; unit: string; bars: Bar[] }) => (
  <table aria-labelledby={labelledby}>
    <thead>
      <tr>
        <th scope="col">{unit === 'day' ? 'Day' : `First day of the ${unit}`}</th>
        <th scope="col">Duration</th>
      </tr>
    </thead>
    <tbody>
      {bars.map(({ start, minutes }) => (
        <tr key={start}>
          <th scope="row">{dayText(start)}</th>
          <td>{durationText(minutes)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const SHOWN = 5

type Summed = Pick<Report, 'minutes' | 'cents' | 'billed' | 'unrated'>
type Share = Summed & { id: number; label: string }

function Shares({ title, shares }: { title: string; shares: Share[] }) {
  const sorted = shares.toSorted((a, b) => b.minutes - a.minutes)
  const rest = sorted.slice(SHOWN)
  const left = {
    minutes: total(rest, 'minutes'),
    cents: total(rest, 'cents'),
    billed: total(rest, 'billed'),
    unrated: total(rest, 'unrated'),
  }
  const most = sorted[0]?.minutes ?? 0
  return (
    <Chart title={title}>
      {(id) => (
        <ul aria-labelledby={id} className={LINES}>
          {sorted.slice(0, SHOWN).map(({ id, label, ...sums }) => (
            <Line key={id} label={label} minutes={sums.minutes} most={most}>
              <Money sums={sums} />
            </Line>
          ))}
          {rest.length > 0 && (
            <li className="text-quiet">
              <p className="flex justify-between gap-2">
                <span>{numberText(rest.length)} more</span>
                <span className="tabular">{durationText(left.minutes)}</span>
              </p>
              <Money sums={left} />
            </li>
          )}
        </ul>
      )}
    </Chart>
  )
}

const LINES = 'flex flex-col gap-2 text-small'

const Line = ({ label, minutes, most, children }: { label: string; minutes: number; most: number; children?: ReactNode }) => (
  <li>
    <p className="flex justify-between gap-2">
      <span dir="auto" title={label} className="truncate">
        {label}
      </span>
      <span className="tabular shrink-0 text-quiet">{durationText(minutes)}</span>
    </p>
    {children}
    <span aria-hidden className="mt-0.5 block h-1 rounded-full bg-hover">
      <span className="block h-1 rounded-full bg-quiet" style={{ width: share(minutes, most) }} />
    </span>
  </li>
)

const total = (shares: Share[], of: keyof Summed) => shares.reduce((sum, share) => sum + share[of], 0)

/** Says which time an amount covers, which may be partial or rounded. */
const Money = ({ sums: { cents, billed, unrated } }: { sums: Summed }) =>
  cents > 0 && (
    <p className="tabular text-quiet">
      {amountText(cents)} · {durationText(billed - unrated)} billable
    </p>
  )

/** The first day of a unit, and the first day of the next one. */
const UNITS = {
  day: { startOf: (day: string) => day, after: (start: string) => addDays(start, 1) },
  week: { startOf: weekStartOf, after: (start: string) => addDays(start, 7) },
  month: { startOf: (day: string) => `${day.slice(0, 7)}-01`, after: (start: string) => `${addDays(start, 31).slice(0, 7)}-01` },
  year: {
    startOf: (day: string) => `${day.slice(0, 4)}-01-01`,
    after: (start: string) => `${addDays(start, 366).slice(0, 4)}-01-01`,
  },
} as const
type Unit = keyof typeof UNITS
export type Bar = { start: string; minutes: number }

const BARS = 62

const LATEST = '3000-12-31'

type Days = readonly { day: string; minutes: number }[]

/** One bar per day, or per week, month or year if those are too many. Weeks start on `weekday`. */
export function barsOf(days: Days, { from, to }: { from?: string; to?: string } = {}, weekday = 0): { unit: Unit; bars: Bar[] } {
  const sorted = days.toSorted((a, b) => (a.day < b.day ? -1 : 1))
  const [first, last] = [sorted[0]?.day, sorted.at(-1)?.day]
  if (!first || !last) return { unit: 'day', bars: [] }
  const asked = barsBetween(sorted, from ?? first, to && to > LATEST ? LATEST : (to ?? last), weekday)
  return asked.bars.length <= BARS ? asked : barsBetween(sorted, first, last, weekday)
}

function barsBetween(sorted: Days, first: string, last: string, weekday: number): { unit: Unit; bars: Bar[] } {
  for (const unit of ['day', 'week', 'month', 'year'] as const) {
    const startOf = (day: string) => UNITS[unit].startOf(day, weekday)
    const starts: string[] = []
    const most = unit === 'year' ? Number.POSITIVE_INFINITY : BARS + 1
    for (let start = startOf(first); start <= last && starts.length < most; start = UNITS[unit].after(start)) starts.push(start)
    if (starts.length < most) return { unit, bars: filled(starts, sorted, startOf) }
  }
  return { unit: 'year', bars: [] }
}

function filled(starts: string[], days: Days, startOf: (day: string) => string): Bar[] {
  const sums = new Map<string, number>()
  for (const { day, minutes } of days) sums.set(startOf(day), (sums.get(startOf(day)) ?? 0) + minutes)
  return starts.map((start) => ({ start, minutes: sums.get(start) ?? 0 }))
}
