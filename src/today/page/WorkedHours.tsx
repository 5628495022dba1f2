import { useEffect, useRef } from 'react'
import { weekOf } from '../../basics'
import { elapsedMs, MINUTE, wholeMinutes } from '../../time/basics'
import { useNow } from '../../time/page/clock'
import { useKnownTimers } from '../../time/page/timersCache'
import type { Timer } from '../../time/schema'
import { firstId } from '../../web/live/aliases'
import { useFirstWeekday } from '../../web/week'
import type { Today } from '../schema'
import { readTodayAgain } from './cache'
import { useDay } from './day'
import { RunningTimer } from './RunningTimer'
import { HOURS, TimerPlace, WeekHours } from './WeekHours'

/** Until one's timers are read, what the HTML had stays in their place. */
const beganWithTimer = document.querySelector('[data-timer-place]') !== null

/** The timer that runs, and what was worked today and this week. */
export function WorkedHours({ today }: { today: Today }) {
  const place = useRef<HTMLHeadingElement>(null)
  const timers = useKnownTimers()
  const running = timers?.find(({ status }) => status === 'ACTIVE')
  return (
    <section aria-label="My time" className={HOURS}>
      {!timers && beganWithTimer && <TimerPlace />}
      {running && <RunningTimer key={firstId('entry', running.id)} timer={running} onGone={() => place.current?.focus()} />}
      <Week today={today} running={running} heading={place} />
    </section>
  )
}

type WeekProps = { today: Today; running: Timer | undefined; heading: React.RefObject<HTMLHeadingElement | null> }

function Week({ today, running, heading }: WeekProps) {
  const day = useDay()
  const now = useNow(running !== undefined, MINUTE / 2)
  const counts = running ? wholeMinutes(elapsedMs(running, now)) : 0
  const logged = new Map(today.week.map(({ day, minutes }) => [day, minutes]))
  const week = weekOf(day, useFirstWeekday())
  // It is another week by now, or begins on another day.
  const isRead = today.week[0]?.day === week[0]
  useEffect(() => {
    if (!isRead) void readTodayAgain()
  }, [isRead])
  const days = week.map((one) => ({ day: one, minutes: (logged.get(one) ?? 0) + (running?.day === one ? counts : 0) }))
  return <WeekHours days={days} day={day} heading={heading} />
}
