import { z } from 'zod'
import { id, optionalText } from '../inputs'
import { userSummary } from '../users/inputs'

/** contract.md, section 4. */
const NOTE_MAX = 2_000
export const MINUTES_MAX = 44_640

/** A timer that nobody looked at for so long is asked about; it is never logged unasked. In milliseconds. */
export const ASKED_AFTER = 8 * 60 * 60_000

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

const moment = z.iso.datetime({ offset: true, error: 'Must be a moment in ISO 8601' })

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
export const timer = timeEntry.extend({ boardId: id, board: z.string() })
export type Timer = z.infer<typeof timer>
/** `now` is the server's clock when it was asked: the page's may be wrong. */
export const ownTimers = z.object({ now: z.string(), timers: z.array(timer) })

export const PAGE_SIZES = [5, 10, 25, 50, 100] as const

const ids = z.array(id).max(1_000)
/** Days are inclusive, and the viewer's; an entry is on the day of whoever did the work. */
export const reportFilter = z.object({
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  taskIds: ids.optional(),
  userIds: ids.optional(),
})
export type ReportFilter = z.output<typeof reportFilter>

export const reportPage = reportFilter.extend({
  page: z.number().int().min(1).default(1),
  pageSize: z.union(PAGE_SIZES.map((size) => z.literal(size))).default(10),
})

const share = z.object({ minutes: z.number(), entries: z.number() })
/** One page of a board's time, newest day first, and the sums over all that the filter lets through. */
export const report = share.extend({
  page: z.number(),
  rows: z.array(timeEntry),
  byUser: z.array(share.extend({ user: userSummary })),
  byTask: z.array(share.extend({ taskId: id, title: z.string() })),
  byDay: z.array(share.extend({ day: z.string() })),
})
export type Report = z.infer<typeof report>
