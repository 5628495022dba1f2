import { Link } from '@tanstack/react-router'
import { timeOfDay } from '../../activity/page/display'
import { elapsedMs } from '../../time/basics'
import { clockText, useNow } from '../../time/page/clock'
import { TimerButtons } from '../../time/page/TimerButtons'
import type { Timer } from '../../time/schema'
import { TIMER } from './WeekHours'

export function RunningTimer({ timer, onGone }: { timer: Timer; onGone(): void }) {
  const now = useNow(true)
  return (
    <div className={`flex flex-col gap-1 p-4 ${TIMER}`}>
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
      <p className="tabular font-strong text-[2rem] leading-10">{clockText(elapsedMs(timer, now))}</p>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="tabular text-quiet text-small">{timer.runningSince && `since ${timeOfDay(timer.runningSince)}`}</p>
        <div className="-mr-2 flex">
          <TimerButtons boardId={timer.boardId} timer={timer} small onGone={onGone} />
        </div>
      </div>
    </div>
  )
}
