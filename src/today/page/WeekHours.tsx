import type { Ref } from 'react'
import { shortDuration } from '../../activity/page/display'
import { weekdayOf } from '../../basics'

export const HOURS = 'flex min-w-0 flex-col gap-6 sm:max-xl:flex-row'
/** Beside the hours it is no higher than what it holds. */
export const TIMER = 'min-w-0 rounded-panel bg-surface shadow-card sm:max-xl:flex-1 sm:max-xl:self-start'
/** As high and wide as the timer that comes there. */
export const TimerPlace = () => <div data-timer-place className={`min-h-32 p-4 ${TIMER}`} />

const NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const nameOf = (day: string) => NAMES[weekdayOf(day)]

/** `days` are those of the week, of which `day` is today; the HTML has no bars, for their heights would be styles in it. */
type Props = { days: { day: string; minutes: number }[]; day: string; bars?: boolean; heading?: Ref<HTMLHeadingElement> }

export function WeekHours({ days, day, bars = true, heading }: Props) {
  const most = Math.max(1, ...days.map(({ minutes }) => minutes))
  const total = days.reduce((sum, { minutes }) => sum + minutes, 0)
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-3 sm:max-xl:max-w-96">
      <div className="flex flex-col gap-1">
        <Sum name="Today" minutes={days.find((one) => one.day === day)?.minutes ?? 0} />
        <h2 ref={heading} tabIndex={-1} className="flex justify-between gap-4 font-strong focus:outline-none">
          This week <span className="tabular font-normal text-quiet">{shortDuration(total)}</span>
        </h2>
      </div>
      <ol className="grid h-28 grid-cols-7 gap-1.5">
        {days.map(({ day: one, minutes }) => (
          <li key={one} title={`${nameOf(one)}: ${shortDuration(minutes)}`} className="flex min-w-0 flex-col justify-end gap-1.5">
            <span aria-hidden className="flex min-h-0 flex-1 flex-col justify-end">
              <span
                data-bar
                className={`rounded-t-[4px] ${one === day ? 'bg-text' : 'bg-edge/40'} ${bars && minutes > 0 ? 'min-h-1' : 'h-px'}`}
                style={bars && minutes > 0 ? { height: `${(minutes / most) * 100}%` } : undefined}
              />
            </span>
            <span aria-hidden className={`text-center text-small ${one === day ? 'font-strong' : 'text-quiet'}`}>
              {nameOf(one)?.[0]}
            </span>
            <span className="sr-only">{`${nameOf(one)}: ${shortDuration(minutes)}`}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}

const Sum = ({ name, minutes }: { name: string; minutes: number }) => (
  <p className="flex justify-between gap-4 font-strong">
    {name} <span className="tabular font-normal text-quiet">{shortDuration(minutes)}</span>
  </p>
)
