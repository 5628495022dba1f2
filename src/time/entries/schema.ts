import { z } from 'zod'
import type { ToOpenBoard } from '../../protocol'
import { id, limit, NO_CURSOR, optionalText, shortDay } from '../../schema'
import { userSummary } from '../../users/schema'

/** contract.md, section 4. */
const NOTE_MAX = 2_000
export const MINUTES_MAX = 44_640

/** A timer that nobody looked at for so long is asked about; it is never logged unasked. In milliseconds. */
export const ASKED_AFTER = 8 * 60 * 60_000

/** In milliseconds. */
export const MINUTE = 60_000

/** Minutes as "Xh Ym" (board-page.md, section 9). */
export const durationText = (minutes: number): string => `${Math.floor(minutes / 60)}h ${minutes % 60}m`

/** A calendar day (YYYY-MM-DD) as "MMM d, yyyy" (board-page.md, section 9). */
export const dayText = (day: string): string => `${shortDay(day)}, ${day.slice(0, 4)}`

/** The whole minutes that a timer of so many milliseconds becomes when it is completed (contract.md, section 4). */
export const roundedMinutes = (counted: number): number => Math.min(MINUTES_MAX, Math.max(1, Math.round(counted / MINUTE)))

/** The whole minutes that a timer shows before that. */
export const wholeMinutes = (counted: number): number => Math.min(MINUTES_MAX, Math.floor(counted / MINUTE))

/** The minutes of a timer that rests: of what its owner was not there to see, no more than needs no question. */
export const restedMinutes = (counted: number, confirmed: number): number =>
  wholeMinutes(Math.min(counted, confirmed + ASKED_AFTER))

export const STOPPED = 'This timer was already stopped.'
export const NOT_YOURS = 'You can only edit your own time entries'
export const LOADING_FAILED = 'Error loading time entries'
export const NOTHING_TO_EXPORT = 'There are no time entries matching your current filters.'
/** What is said to whoever would complete a timer that nobody looked at, without saying how much of it was work. */
export const overdueText = (counted: number) =>
  `This timer ran for ${durationText(roundedMinutes(counted))}. Say how much of it was work.`

export const INVALID_DURATION = 'Please enter a valid duration (greater than 0)'

const duration = z
  .number(INVALID_DURATION)
  .int(INVALID_DURATION)
  .min(1, INVALID_DURATION)
  .max(MINUTES_MAX, `A time entry has at most ${MINUTES_MAX / 60} hours`)

const timeZone = z.string().refine(isTimeZone, 'No such time zone')

function isTimeZone(name: string) {
  try {
    return name.length <= 64 && !!new Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    return false
  }
}

const moment = z.iso
  .datetime({ offset: true, error: 'Must be a moment in ISO 8601' })
  .refine((given) => given >= '1970-01-02' && given < '2999-12-31', 'Must be between 1970 and 2999')
export const day = z.iso.date('Must be a day, YYYY-MM-DD').refine((given) => given >= '0001', 'The calendar has no year 0')

const settable = z.object({
  startTime: moment,
  endTime: moment.nullish(),
  duration,
  note: optionalText(NOTE_MAX),
  billable: z.boolean(),
  /** Where the work is done: which calendar day its start is on. */
  timeZone,
  notify: z.boolean().default(false),
})
const ofBoth = { billable: settable.shape.billable.default(true), timeZone: timeZone.optional() }

/** Either work that was done, with its duration, or, with the status ACTIVE, a timer that starts now. */
export const newTimeEntry = z.discriminatedUnion('status', [
  settable.partial({ startTime: true }).extend({ ...ofBoth, status: z.literal('completed').default('completed') }),
  settable.pick({ note: true, notify: true }).extend({ ...ofBoth, status: z.literal('ACTIVE') }),
])
export type NewTimeEntry = z.output<typeof newTimeEntry>

/**
 * The fields to change. A status stops, resumes or completes a timer; one that ran for longer than ASKED_AFTER
 * unconfirmed is completed only with a duration.
 */
export const timeEntryChanges = settable.partial().extend({
  notify: settable.shape.notify,
  status: z.enum(['completed', 'ACTIVE', 'PAUSED']).optional(),
})
export type TimeEntryChanges = z.output<typeof timeEntryChanges>

export const timeEntry = z.object({
  id,
  taskId: id,
  boardId: id,
  userId: id,
  /** The task's title. */
  task: z.string(),
  user: userSummary,
  startTime: z.string(),
  endTime: z.string().nullable(),
  day: z.string(),
  duration: z.number(),
  note: z.string().nullable(),
  status: z.enum(['completed', 'ACTIVE', 'PAUSED']),
  runningSince: z.string().nullable(),
  counted: z.number(),
  confirmed: z.number(),
  billable: z.boolean(),
  createdAt: z.string(),
})
export type TimeEntry = z.infer<typeof timeEntry>

/** Milliseconds that a timer has counted by `now`, which is the server's clock. */
export const countedBy = ({ runningSince, counted }: Pick<TimeEntry, 'runningSince' | 'counted'>, now: number) =>
  counted + (runningSince ? Math.max(0, now - Date.parse(runningSince)) : 0)

/** Whether its owner is to be asked how much of it was work. */
export const isOverdue = (entry: Pick<TimeEntry, 'runningSince' | 'counted' | 'confirmed'>, now: number) =>
  countedBy(entry, now) - entry.confirmed >= ASKED_AFTER

/** A viewer's own timer, with where to find it. */
const timer = timeEntry.extend({ board: z.string() })
export type Timer = z.infer<typeof timer>
/** `now` is the server's clock when it was asked: the page's may be wrong. */
export const ownTimers = z.object({ now: z.string(), timers: z.array(timer) })
export type OwnTimers = z.infer<typeof ownTimers>

export const TOO_MANY_TIMERS = 'A hundred of your timers rest already. Stop some of them first.'

/** Where a list of a board's entries goes on after one of them. */
export const cursorAfter = ({ day, startTime, id }: Pick<TimeEntry, 'day' | 'startTime' | 'id'>) =>
  `${day}-${Date.parse(startTime)}-${id}`

const cursor = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d-\d{1,14}-\d{1,10}$/, NO_CURSOR)
  .transform((given) => [given.slice(0, 10), ...given.slice(11).split('-').map(Number)])
  .pipe(z.tuple([day, z.number(), id]))
  .transform(([day, start, id]) => ({ day, startTime: new Date(start), id }))

/** Which part of the list of a board's entries. */
export const boardPart = z.object({ limit, cursor: cursor.optional() })
export type BoardPart = z.output<typeof boardPart>

/** What the live channel tells of time entries; `minutes` are those of the task. */
export type TimeEntryMessage =
  | ToOpenBoard<'time_entry_added', { taskId: number; entry: TimeEntry; minutes: number }>
  | ToOpenBoard<'time_entry_updated', { taskId: number; entry: TimeEntry; minutes: number }>
  | ToOpenBoard<'time_entry_deleted', { taskId: number; entryId: number; minutes: number }>

declare module '../../protocol' {
  interface Messages {
    timeEntries: TimeEntryMessage
  }
}
