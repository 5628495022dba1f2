import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { BoardListItem } from '../../boards/schema'
import { weekOf } from '../../days'
import { timeOfDay } from '../../format'
import { elapsedMs, MINUTE, wholeMinutes } from '../../time/limits'
import { TimerButtons } from '../../time/page/TimerButtons'
import { useKnownTimers } from '../../time/page/timersCache'
import type { Timer } from '../../time/schema'
import { clockText, useDay, useNow } from '../../web/clock'
import { stableKey } from '../../web/live/temporaryIds'
import { useFirstWeekday } from '../../web/settings'
import { TryAgain } from '../../web/ui/Failure'
import type { Today } from '../schema'
import { readTodayAgain, type useToday } from './cache'
import { DAY_GRID, DayPlaceholder, HOURS_LOOK, TIMER_LOOK, TimerPlace, WeekHours } from './InitialDay'
import { MyTasks } from './MyTasks'

export function MyDay({ today, boards }: { today: ReturnType<typeof useToday>; boards: BoardListItem[] }) {
  if (today.data)
    return (
      <div className={DAY_GRID}>
        <MyTasks today={today.data} boards={boards} />
        <WorkedHours today={today.data} />
      </div>
    )
  if (!today.isError)
    return (
      <div className="waiting">
        <DayPlaceholder />
      </div>
    )
  return (
    <TryAgain busy={today.isFetching} retry={() => void today.refetch()} error={today.error}>
      Your tasks could not be loaded.
    </TryAgain>
  )
}

/** Until the timers are read, the HTML's placeholder stays. */
const beganWithTimer = document.querySelector('[data-timer-place]') !== null

function WorkedHours({ today }: { today: Today }) {
  const place = useRef<HTMLHeadingElement>(null)
  const timers = useKnownTimers()
  const running = timers?.find(({ status }) => status === 'ACTIVE')
  return (
    <section aria-label="My time" className={HOURS_LOOK}>
      {!timers && beganWithTimer && <TimerPlace />}
      {running && <RunningTimer key={stableKey('entry', running.id)} timer={running} onGone={() => place.current?.focus()} />}
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
  // A new week has begun, or weeks now start on another day.
  const isRead = today.week[0]?.day === week[0]
  useEffect(() => {
    if (!isRead) void readTodayAgain()
  }, [isRead])
  const days = week.map((one) => ({ day: one, minutes: (logged.get(one) ?? 0) + (running?.day === one ? counts : 0) }))
  return <WeekHours days={days} day={day} heading={heading} />
}

function RunningTimer({ timer, onGone }: { timer: Timer; onGone(): void }) {
  const now = useNow(true)
  return (
    <div className={`flex flex-col gap-1 p-4 ${TIMER_LOOK}`}>
      <Link
        to="/board/$boardId"
        params={{ boardId: timer.boardId }}
        search={{ task: timer.taskId, openTaskDetail: true }}
        title={timer.board}
        dir="auto"
        className="truncate text-quiet hover:underline"
      >
        {timer.task}
      </Link>
      <p className="tabular font-strong text-page leading-10">{clockText(elapsedMs(timer, now))}</p>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="tabular text-quiet text-small">{timer.runningSince && `since ${timeOfDay(timer.runningSince)}`}</p>
        <div className="-mr-2 flex">
          <TimerButtons timer={timer} small onGone={onGone} />
        </div>
      </div>
    </div>
  )
}
