import { z } from 'zod'
import { id, LISTED_AT_ONCE, wholeNumber } from '../../schema'
import { userSummary } from '../../users/schema'
import { day, timeEntry } from '../entries/schema'
import { ROUNDINGS } from '../rates/schema'

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

/** Days are inclusive; an entry is on the day of whoever did the work. */
const reportFilter = z.object({
  from: day.optional(),
  to: day.optional(),
  taskIds: ids.optional(),
  userIds: ids.optional(),
})
export type ReportFilter = z.output<typeof reportFilter>

const rounding = wholeNumber.pipe(z.literal(ROUNDINGS)).default(0)

export const reportPage = reportFilter.extend({
  page: wholeNumber
    .pipe(
      z
        .number()
        .int()
        .min(1)
        .max(2 ** 31),
    )
    .default(1),
  pageSize: wholeNumber.pipe(z.literal(PAGE_SIZES)).default(10),
  rounding,
})
export type ReportPage = z.output<typeof reportPage>

export const BREAKDOWN_MAX = { days: 4_000, people: 1_000, tasks: 1_000 }

const subtotal = z.object({ minutes: z.number(), entries: z.number() })
const pricedSubtotal = subtotal.extend({
  cents: z.number(),
  /** Rounded billable minutes; `unrated` are those of them without a rate. */
  billed: z.number(),
  unrated: z.number(),
})
const totals = pricedSubtotal.extend({
  exportable: z.number(),
  amounts: z.enum(['everyone', 'own']).nullable(),
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

export const NOTHING_TO_INVOICE = 'There are no time entries that you can invoice matching your current filters.'

export const PRINTED_MAX = 5_000

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
