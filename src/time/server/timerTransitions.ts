import { conflict } from '../../server/errors'
import {
  ALREADY_STOPPED,
  elapsedMs,
  isOverdue,
  MINUTE,
  OVERDUE_AFTER,
  overdueText,
  pausedMinutes,
  roundedMinutes,
  wholeMinutes,
} from '../limits'
import type { TimeEntry } from '../schema'

type TimerChange = { status?: TimeEntry['status'] | undefined; duration?: number | undefined }

/** The values to store for a change of a timer or completed entry; `now` is when it changes, in milliseconds. Throws CONFLICT. */
export function transition(entry: TimeEntry, { status = entry.status, duration }: TimerChange, now: number) {
  if (entry.status === 'completed') {
    if (status !== 'completed') throw conflict(ALREADY_STOPPED)
    return duration === undefined ? {} : { duration }
  }
  // Nobody has claimed overdue time as work, so completing needs a duration.
  const isUnconfirmed = duration === undefined && isOverdue(entry, now)
  const counted = duration === undefined ? elapsedMs(entry, now) : duration * MINUTE
  if (status === 'completed' && isUnconfirmed) throw conflict(overdueText(counted))
  return {
    ...(status === 'completed'
      ? completed(counted, now)
      : status === 'PAUSED'
        ? paused(entry, counted, isUnconfirmed ? entry.confirmed : counted, now)
        : running(counted, now)),
    ...(!isUnconfirmed && { confirmed: counted, askedAt: null }),
  }
}

export const pauseForOwner = (entry: TimeEntry, now: number) => paused(entry, elapsedMs(entry, now), entry.confirmed, now)

/** A leaving member's timer counts its confirmed time plus at most eight hours. */
export const completeForOwner = (entry: TimeEntry, now: number) =>
  completed(Math.min(elapsedMs(entry, now), entry.confirmed + OVERDUE_AFTER), now)

/** Of two clicks that arrive out of order, the later one counts. */
export function confirm(entry: TimeEntry, now: number) {
  const confirmed = Math.max(entry.confirmed, elapsedMs(entry, now))
  return { confirmed, askedAt: null, ...(entry.status === 'PAUSED' && { duration: pausedMinutes(entry.counted, confirmed) }) }
}

/** An undone stop; the timer continues from `from`. */
export const unstopped = ({ counted }: TimeEntry, status: 'ACTIVE' | 'PAUSED', from: number) =>
  status === 'ACTIVE' ? running(counted, from) : { status, runningSince: null, duration: wholeMinutes(counted) }

const running = (counted: number, now: number) => ({
  status: 'ACTIVE' as const,
  runningSince: new Date(now),
  counted,
  duration: wholeMinutes(counted),
  endTime: null,
})

const paused = ({ runningSince }: TimeEntry, counted: number, confirmed: number, now: number) => ({
  status: 'PAUSED' as const,
  runningSince: null,
  counted,
  duration: pausedMinutes(counted, confirmed),
  ...(runningSince !== null && { endTime: new Date(now) }),
})

const completed = (counted: number, now: number) => ({
  status: 'completed' as const,
  runningSince: null,
  counted,
  duration: roundedMinutes(counted),
  endTime: new Date(now),
})
