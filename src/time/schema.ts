import { z } from 'zod'
import { addDays, type Days, weekStartOf } from '../days'
import type { ToOpenBoard, ToUser } from '../protocol'
import { LISTED_AT_ONCE } from '../protocol'
import { day, id, limit, NO_CURSOR, optionalText, wholeNumber } from '../schema'
import { STATUSES } from '../tasks/limits'
import { userSummary } from '../users/schema'
import { DAYS_MAX, FIRST_DAY, INVALID_DURATION, LAST_MINUTE, MINUTES_MAX, NOTE_MAX, RATE_MAX } from './limits'

export * from './limits'

const duration = z
  .number(INVALID_DURATION)
  .int(INVALID_DURATION)
  .min(1, INVALID_DURATION)
  .max(MINUTES_MAX, `A time entry can be at most ${MINUTES_MAX / 60} hours long`)

export const timeZone = z.string().refine(isTimeZone, 'Unknown time zone')

function isTimeZone(name: string) {
  try {
    return name.length <= 64 && !!new Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    return false
  }
}

const moment = z.iso
  .datetime({ offset: true, error: 'Must be an ISO 8601 date and time' })
  .refine((given) => given >= '1970-01-02' && given < '2999-12-31', 'Must be between 1970 and 2999')

const settable = z.object({
  startTime: moment.describe('Now by default; a timer cannot start in the future'),
  endTime: moment.nullish(),
  duration,
  note: optionalText(NOTE_MAX),
  billable: z.boolean(),
  timeZone: timeZone.describe('Decides the calendar day on which the work starts'),
  notify: z.boolean().default(false).describe('Notifies the other members'),
})
const at = moment.optional().describe('When the user clicked, if the request is sent later')
const optionalFields = { billable: settable.shape.billable.default(true), timeZone: settable.shape.timeZone.optional() }

export const newTimeEntry = z.discriminatedUnion('status', [
  settable.partial({ startTime: true }).extend({ ...optionalFields, status: z.literal('completed').default('completed') }),
  settable.pick({ note: true, notify: true }).extend({ ...optionalFields, status: z.literal('ACTIVE'), at }),
])
export type NewTimeEntry = z.output<typeof newTimeEntry>

export const timeEntryChanges = settable.partial().extend({
  notify: settable.shape.notify,
  status: z.enum(['completed', 'ACTIVE', 'PAUSED']).optional(),
  at,
})
export type TimeEntryChanges = z.output<typeof timeEntryChanges>

export const confirmation = z.object({ at })

/** A timer's state before it was stopped. */
export const unstop = z.object({ status: z.enum(['ACTIVE', 'PAUSED']), at })

/** The fields of a form. The hours are checked as the whole duration and show its errors. */
export const timeFields = z.object({
  hours: duration,
  minutes: z.string().refine((typed) => !(Number(typed) > LAST_MINUTE), `At most ${LAST_MINUTE}`),
  note: settable.shape.note,
  day: z.string().refine((day) => day >= '1000', 'Please choose a day'),
})

export const timeEntry = z.object({
  id,
  taskId: id,
  boardId: id,
  userId: id,
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
  revision: z.number(),
})
export type TimeEntry = z.infer<typeof timeEntry>

export const boardEntriesCursor = ({ day, startTime, id }: Pick<TimeEntry, 'day' | 'startTime' | 'id'>) =>
  `${day}-${Date.parse(startTime)}-${id}`

const cursor = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d-\d{1,14}-\d{1,10}$/, NO_CURSOR)
  .transform((given) => [given.slice(0, 10), ...given.slice(11).split('-').map(Number)])
  .pipe(z.tuple([day, z.number(), id]))
  .transform(([day, start, id]) => ({ day, startTime: new Date(start), id }))

export const boardEntriesPage = z.object({ limit, cursor: cursor.optional() })
export type BoardEntriesPage = z.output<typeof boardEntriesPage>

export const timer = timeEntry.extend({ board: z.string() })
export type Timer = z.infer<typeof timer>

/** `now` is the server's clock, because the page's may be wrong. */
export const ownTimers = z.object({ now: z.string(), timers: z.array(timer) })
export type OwnTimers = z.infer<typeof ownTimers>

export const myTimeFilter = z.object({ from: day.optional(), to: day.optional(), timeZone: timeZone.default('UTC') })

/** Without days, the week of `today`, which starts on the weekday `start`; null if there are none, or too many. */
export function daysOf({ from, to }: Partial<Days>, today: string, start: number): Days | null {
  const first = from ?? (to ? addDays(to, -6) : weekStartOf(today, start))
  const last = to ?? addDays(first, 6)
  return FIRST_DAY <= first && first <= last && last < addDays(first, DAYS_MAX) ? { from: first, to: last } : null
}

export const NO_DAYS = `Choose between 1 and ${DAYS_MAX} days`

const sheetTask = z.object({ id, boardId: id, title: z.string(), status: z.enum(STATUSES), board: z.string() })
export type SheetTask = z.infer<typeof sheetTask>

/** `today` is in the given time zone; `tasks` are those that the user may want a row for. */
export const myTime = z.object({
  now: z.string(),
  today: z.string(),
  from: z.string(),
  to: z.string(),
  entries: z.array(timer),
  more: z.boolean(),
  tasks: z.array(sheetTask),
})
export type MyTime = z.infer<typeof myTime>

/** Invoicing rounds the minutes of each billable entry up to a multiple of these. */
export const ROUNDINGS = [0, 6, 15, 30] as const
export type Rounding = (typeof ROUNDINGS)[number]

export const CURRENCY = 'CAD'

const AMOUNT = `An hourly rate must be between 0 and ${RATE_MAX / 100_000},000 ${CURRENCY}`
const cents = z.number(AMOUNT).int(AMOUNT).min(0, AMOUNT).max(RATE_MAX, AMOUNT)

export const rateChange = z.object({
  from: day.nullable().describe('Null: from the beginning'),
  cents: cents.nullable().describe('An hour, in CAD; null deletes the rate that starts on that day'),
})
export type RateChange = z.output<typeof rateChange> & { userId: number }

const rate = z.object({ user: userSummary, from: z.string().nullable(), cents: z.number() })
export type Rate = z.infer<typeof rate>
export const rates = z.array(rate)

/** Cents as a number with two decimals, independent of the locale. */
export const decimalText = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`

/** Parses an amount into cents, without floats; undefined if it is not one. */
export function centsOf(typed: string): number | undefined {
  const [, whole = '', part = ''] = /^(\d{1,7})(?:[.,](\d{1,2}))?$/.exec(typed.trim()) ?? []
  return whole === '' ? undefined : Number(whole + part.padEnd(2, '0'))
}

export const PAGE_SIZES = [5, 10, 25, 50, 100] as const

const ids = z
  .union([
    z.array(z.number()),
    z
      .string()
      .regex(/^(\d{1,10}(,\d{1,10})*)?$/)
      .transform((text) => text.split(',').filter(Boolean).map(Number)),
  ])
  .pipe(z.array(id).max(LISTED_AT_ONCE))
  .describe(`Separated by commas, at most ${LISTED_AT_ONCE}; all if left out`)

/** Days are inclusive; an entry is on its author's day. */
const reportFilter = z.object({
  from: day.optional(),
  to: day.optional(),
  taskIds: ids.optional(),
  userIds: ids.optional(),
})
export type ReportFilter = z.output<typeof reportFilter>

const rounding = wholeNumber
  .pipe(z.literal(ROUNDINGS))
  .default(0)
  .describe(`One of ${ROUNDINGS.join(', ')} minutes`)

const LAST_PAGE = 2 ** 31

export const reportPage = reportFilter.extend({
  page: wholeNumber.pipe(z.number().int().min(1).max(LAST_PAGE)).default(1),
  pageSize: wholeNumber
    .pipe(z.literal(PAGE_SIZES))
    .default(10)
    .describe(`One of ${PAGE_SIZES.join(', ')}; 10 by default`),
  rounding,
})
export type ReportPage = z.output<typeof reportPage>

const subtotal = z.object({ minutes: z.number(), entries: z.number() })
const pricedSubtotal = subtotal.extend({
  cents: z.number(),
  billed: z.number().describe('Rounded billable minutes whose amounts you may see'),
  unrated: z.number().describe('Of these, the minutes without a rate'),
})
const totals = pricedSubtotal.extend({
  exportable: z.number().describe('Entries without running timers'),
  amounts: z.enum(['everyone', 'own']).nullable().describe('Whose amounts the sums include'),
  byUser: z.array(pricedSubtotal.extend({ user: userSummary })),
  byTask: z.array(pricedSubtotal.extend({ taskId: id, title: z.string() })),
  byDay: z.array(subtotal.extend({ day: z.string() })),
})
export type Totals = z.infer<typeof totals>
const reportRow = timeEntry.extend({ cents: z.number().nullable() })
export type ReportRow = z.infer<typeof reportRow>
export const report = totals.extend({ page: z.number(), rows: z.array(reportRow) })
export type Report = z.infer<typeof report>

export const exportOptions = reportFilter.extend({ format: z.enum(['plain', 'invoice']).default('plain'), rounding })
export type ExportOptions = z.output<typeof exportOptions>

export const NOTHING_TO_INVOICE = 'There are no billable time entries matching your current filters.'

export const statementFilter = reportFilter.extend({ rounding })
export const statement = z.object({
  amounts: z.enum(['everyone', 'own']).nullable(),
  more: z.boolean(),
  rows: z.array(
    z.object({
      id,
      userId: id,
      user: z.string(),
      task: z.string(),
      day: z.string(),
      duration: z.number(),
      note: z.string().nullable(),
      billable: z.boolean(),
      /** Rounded minutes; the rate is in cents per hour. */
      billed: z.number(),
      rate: z.number().nullable(),
      cents: z.number().nullable(),
    }),
  ),
})
export type Statement = z.infer<typeof statement>

export type TimeEntryMessage =
  | ToOpenBoard<'time_entry_added', { taskId: number; entry: TimeEntry; minutes: number }>
  | ToOpenBoard<'time_entry_updated', { taskId: number; entry: TimeEntry; minutes: number }>
  | ToOpenBoard<'time_entry_deleted', { taskId: number; entryId: number; minutes: number }>

/** Sent to users who may see the rate, and then fetch it. */
type RateMessage = ToUser<'rate_changed', { boardId: number }>

declare module '../protocol' {
  interface Messages {
    timeEntries: TimeEntryMessage
    rates: RateMessage
  }
}
