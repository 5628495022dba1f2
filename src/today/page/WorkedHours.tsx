import { Suspense, useRef } from 'react'
import { shortDuration } from '../../activity/page/display'
import { weekOf } from '../../basics'
import { useNow } from '../../time/entries/page/useNow'
import { useTimers } from '../../time/timers/page/useTimers'
import { elapsedMs, MINUTE, type Timer, wholeMinutes } from '../../time/timers/schema'
import { lazyComponent } from '../../web/lazy'
import { firstId } from '../../web/live/aliases'
import type { Today } from '../schema'
import { useDay } from './day'

const RunningTimer = lazyComponent(() => import('./RunningTimer').then((module) => module.RunningTimer))

/** The timer that runs, and what was worked today and this week. */
export function WorkedHours({ today }: { today: Today }) {
  const place = useRef<HTMLHeadingElement>(null)
  const running = useTimers().find(({ status }) => status === 'ACTIVE')
  return (
    <section aria-label="My time" className="flex min-w-0 flex-col gap-6 sm:max-xl:flex-row">
      {running && (
        <Suspense fallback={<div className="h-[7.75rem] flex-1 rounded-panel bg-surface shadow-card" />}>
          <RunningTimer key={firstId('entry', running.id)} timer={running} onGone={() => place.current?.focus()} />
        </Suspense>
      )}
      <Week today={today} running={running} heading={place} />
    </section>
  )
}

const LETTERS = ['M', 'T', 'W', 'T', 'F', 'S', 'S']
const NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

type WeekProps = { today: Today; running: Timer | undefined; heading: React.RefObject<HTMLHeadingElement | null> }

function Week({ today, running, heading }: WeekProps) {
  const day = useDay()
  const now = useNow(running !== undefined, MINUTE / 2)
  const counts = running ? wholeMinutes(elapsedMs(running, now)) : 0
  const logged = new Map(today.week.map(({ day, minutes }) => [day, minutes]))
  const days = weekOf(day).map((one) => ({ day: one, minutes: (logged.get(one) ?? 0) + (running?.day === one ? counts : 0) }))
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
        {days.map(({ day: one, minutes }, nth) => (
          <li key={one} title={`${NAMES[nth]}: ${shortDuration(minutes)}`} className="flex min-w-0 flex-col justify-end gap-1.5">
            <span aria-hidden className="flex min-h-0 flex-1 flex-col justify-end">
              <span
                className={`rounded-t-[4px] ${one === day ? 'bg-text' : 'bg-edge/40'} ${minutes === 0 ? 'h-px' : 'min-h-1'}`}
                style={minutes === 0 ? undefined : { height: `${(minutes / most) * 100}%` }}
              />
            </span>
            <span aria-hidden className={`text-center text-small ${one === day ? 'font-strong' : 'text-quiet'}`}>
              {LETTERS[nth]}
            </span>
            <span className="sr-only">{`${NAMES[nth]}: ${shortDuration(minutes)}`}</span>
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
