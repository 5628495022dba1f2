import { durationText, MINUTES_MAX } from '../entries/basics'

type Counted = { runningSince: string | null; counted: number }

/** In milliseconds. A timer whose owner has not confirmed it for so long is never logged without asking them. */
export const OVERDUE_AFTER = 8 * 60 * 60_000

/** In milliseconds. */
export const MINUTE = 60_000

export const ALREADY_STOPPED = 'This timer was already stopped.'
export const TOO_MANY_TIMERS = 'A hundred of your timers rest already. Stop some of them first.'
export const overdueText = (counted: number) =>
  `This timer ran for ${durationText(roundedMinutes(counted))}. Say how much of it was work.`

/** Milliseconds that a timer has counted by `now`, which is the server's clock. */
export const elapsedMs = ({ runningSince, counted }: Counted, now: number) =>
  counted + (runningSince ? Math.max(0, now - Date.parse(runningSince)) : 0)

export const isOverdue = (entry: Counted & { confirmed: number }, now: number) =>
  elapsedMs(entry, now) - entry.confirmed >= OVERDUE_AFTER

/** The minutes that a completed timer logs; `counted` is in milliseconds here and below. */
export const roundedMinutes = (counted: number): number => Math.min(MINUTES_MAX, Math.max(1, Math.round(counted / MINUTE)))

export const wholeMinutes = (counted: number): number => Math.min(MINUTES_MAX, Math.floor(counted / MINUTE))

/** The minutes of a paused timer, with at most OVERDUE_AFTER of what is unconfirmed. */
export const pausedMinutes = (counted: number, confirmed: number): number =>
  wholeMinutes(Math.min(counted, confirmed + OVERDUE_AFTER))
