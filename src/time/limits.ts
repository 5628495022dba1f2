import { shortDay } from '../days'
import { durationText } from '../format'

export const DAYS_MAX = 31
/** The earliest day, stored as the start of a rate that has none. */
export const FIRST_DAY = '0001-01-01'
export const ENTRIES_MAX = 2_000
/** Cents per hour. */
export const RATE_MAX = 1_000_000
export const RATES_MAX = 50
export const BREAKDOWN_MAX = { days: 4_000, people: 1_000, tasks: 1_000 }
export const PRINTED_MAX = 5_000

export const MINUTES_MAX = 44_640
export const NOTE_MAX = 2_000
/** The most minutes next to hours in a form. */
export const LAST_MINUTE = 59

/** Like a clock: "1:05". */
export const clockOf = (minutes: number): string => `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`

/** A calendar day (YYYY-MM-DD) as "MMM d, yyyy". */
export const dayText = (day: string): string => `${shortDay(day)}, ${day.slice(0, 4)}`

export const NOT_YOURS = 'You can only edit your own time entries'
export const LOADING_FAILED = 'Error loading time entries'
export const NOTHING_TO_EXPORT = 'There are no time entries matching your current filters.'
export const INVALID_DURATION = 'Please enter a valid duration (greater than 0)'

type Counted = { runningSince: string | null; counted: number }

/** In milliseconds. */
export const MINUTE = 60_000

/** In milliseconds. A timer unconfirmed for this long is never logged without asking its owner. */
export const OVERDUE_AFTER = 8 * 60 * MINUTE

/** In milliseconds. How late a click may be sent and still count from its own time. */
export const UNDONE_WITHIN = 24 * 60 * MINUTE

export const ALREADY_STOPPED = 'This timer was already stopped.'
export const TOO_MANY_TIMERS = 'You already have 100 paused timers. Stop some first.'
export const overdueText = (counted: number) =>
  `This timer ran for ${durationText(roundedMinutes(counted))}. How long did you work?`

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

/** The calendar day (YYYY-MM-DD) of a moment in a time zone, by its IANA name or its offset (+05:30). */
export const dayIn = (moment: Date, timeZone: string): string =>
  moment.toLocaleDateString('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })

/** The given time zone, else the offset of the start. Z says nothing: programs write it everywhere. */
export const timeZoneOf = ({ timeZone, startTime }: { timeZone?: string | undefined; startTime?: string | undefined }) =>
  timeZone ?? /[+-]\d\d:\d\d$/.exec(startTime ?? '')?.[0]
