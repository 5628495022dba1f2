import { conflict } from '../../../server/errors'
import {
  ASKED_AFTER,
  countedBy,
  isOverdue,
  MINUTE,
  overdueText,
  restedMinutes,
  roundedMinutes,
  STOPPED,
  type TimeEntry,
  wholeMinutes,
} from '../../entries/schema'

type Wanted = { status?: TimeEntry['status'] | undefined; duration?: number | undefined }

/** What a change makes of a timer, or of one that was completed; `now` is the database's, in milliseconds. Throws CONFLICT. */
export function transition(entry: TimeEntry, { status = entry.status, duration }: Wanted, now: number) {
  if (entry.status === 'completed') {
    if (status !== 'completed') throw conflict(STOPPED)
    return duration === undefined ? {} : { duration }
  }
  // Whoever says how much of it was work has answered the question.
  const isOpen = duration === undefined && isOverdue(entry, now)
  const counted = duration === undefined ? countedBy(entry, now) : duration * MINUTE
  if (status === 'completed' && isOpen) throw conflict(overdueText(counted))
  return {
    ...(status === 'completed'
      ? completed(counted, now)
      : status === 'PAUSED'
        ? paused(counted, isOpen ? entry.confirmed : counted)
        : running(counted, now)),
    ...(!isOpen && { confirmed: counted, askedAt: null }),
  }
}

/** Pauses on the owner's behalf; unconfirmed time stays unconfirmed. */
export const pauseForOwner = (entry: TimeEntry, now: number) => paused(countedBy(entry, now), entry.confirmed)

/** Completes on the owner's behalf: confirmed time counts, and at most ASKED_AFTER of the unconfirmed. */
export const completeForOwner = (entry: TimeEntry, now: number) =>
  completed(Math.min(countedBy(entry, now), entry.confirmed + ASKED_AFTER), now)

/** The owner confirms that all of it was work. */
export const confirm = (entry: TimeEntry, now: number) => ({ confirmed: countedBy(entry, now), askedAt: null })

const running = (counted: number, now: number) => ({
  status: 'ACTIVE' as const,
  runningSince: new Date(now),
  counted,
  duration: wholeMinutes(counted),
})

const paused = (counted: number, confirmed: number) => ({
  status: 'PAUSED' as const,
  runningSince: null,
  counted,
  duration: restedMinutes(counted, confirmed),
})

const completed = (counted: number, now: number) => ({
  status: 'completed' as const,
  runningSince: null,
  counted,
  duration: roundedMinutes(counted),
  endTime: new Date(now),
})
