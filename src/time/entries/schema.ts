import { z } from 'zod'
import type { ToOpenBoard } from '../../protocol'
import { id, limit, NO_CURSOR, optionalText } from '../../schema'
import { userSummary } from '../../users/schema'
import { INVALID_DURATION, MINUTES_MAX } from './basics'

export * from './basics'

export const NOTE_MAX = 2_000
const duration = z
  .number(INVALID_DURATION)
  .int(INVALID_DURATION)
  .min(1, INVALID_DURATION)
  .max(MINUTES_MAX, `A time entry has at most ${MINUTES_MAX / 60} hours`)

export const timeZone = z.string().refine(isTimeZone, 'No such time zone')

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
  /** Decides on which calendar day the work starts. */
  timeZone,
  notify: z.boolean().default(false),
})
/** When a timer's button was clicked, where that is told late. */
const at = moment.optional()
const optionalFields = { billable: settable.shape.billable.default(true), timeZone: timeZone.optional() }

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

export type TimeEntryMessage =
  | ToOpenBoard<'time_entry_added', { taskId: number; entry: TimeEntry; minutes: number }>
  | ToOpenBoard<'time_entry_updated', { taskId: number; entry: TimeEntry; minutes: number }>
  | ToOpenBoard<'time_entry_deleted', { taskId: number; entryId: number; minutes: number }>

declare module '../../protocol' {
  interface Messages {
    timeEntries: TimeEntryMessage
  }
}
