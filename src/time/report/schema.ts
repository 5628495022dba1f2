import { z } from 'zod'
import { id, LISTED_AT_ONCE, wholeNumber } from '../../schema'
import { userSummary } from '../../users/schema'
import { day, timeEntry } from '../entries/schema'

export const PAGE_SIZES = [5, 10, 25, 50, 100] as const

/** In an address, ids are text with commas. */
const ids = z
  .union([
    z.array(z.number()),
    z
      .string()
      .regex(/^(\d{1,10}(,\d{1,10})*)?$/)
      .transform((text) => text.split(',').filter(Boolean).map(Number)),
  ])
  .pipe(z.array(id).max(LISTED_AT_ONCE))

/** Days are inclusive, and the viewer's; an entry is on the day of whoever did the work. No ids are as good as all. */
const reportFilter = z.object({
  from: day.optional(),
  to: day.optional(),
  taskIds: ids.optional(),
  userIds: ids.optional(),
})
export type ReportFilter = z.output<typeof reportFilter>

/** Minutes to whose multiples each billable entry is rounded up where it is invoiced; what is stored stays as it is. */
export const ROUNDINGS = [0, 6, 15, 30] as const
export type Rounding = (typeof ROUNDINGS)[number]
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

/** What is said beside the sums, at most: the days last logged on, and the people and tasks with most time. */
export const SHARES_MAX = { days: 4_000, people: 1_000, tasks: 1_000 }

/** Minutes as in `task.minutes`: without what runs. */
const share = z.object({ minutes: z.number(), entries: z.number() })
/** With the amount that it comes to, as far as the viewer may see rates. */
const pricedShare = share.extend({
  cents: z.number(),
  /** The billable minutes that the viewer may see amounts of, rounded; and how many of these have no rate. */
  billed: z.number(),
  unrated: z.number(),
})
const sums = pricedShare.extend({
  /** How many of the entries an export holds: without what runs. */
  exportable: z.number(),
  /** Whose amounts are in it, by what the viewer may see; null where there is no rate to be seen. */
  amounts: z.enum(['everyone', 'own']).nullable(),
  byUser: z.array(pricedShare.extend({ user: userSummary })),
  byTask: z.array(pricedShare.extend({ taskId: id, title: z.string() })),
  byDay: z.array(share.extend({ day: z.string() })),
})
export type Sums = z.infer<typeof sums>
/** What an entry comes to: null where it has no amount, or the viewer may not see it. */
const reportRow = timeEntry.extend({ cents: z.number().nullable() })
export type ReportRow = z.infer<typeof reportRow>
/** One page of a board's time, newest day first, and the sums over all that the filter lets through. */
export const report = sums.extend({ page: z.number(), rows: z.array(reportRow) })
export type Report = z.infer<typeof report>

/** How a CSV is written: as the specification has it, or with what an invoice needs beside it. */
export const exportOptions = reportFilter.extend({ format: z.enum(['plain', 'invoice']).default('plain'), rounding })
export type ExportOptions = z.output<typeof exportOptions>

/** Where no entry is left that is billable and whose amount the viewer may see. */
export const NOTHING_TO_INVOICE = 'There are no time entries that you can invoice matching your current filters.'

/** So many entries are printed at once; beyond them, a shorter period is asked for. */
export const PRINTED_MAX = 5_000

export const statementFilter = reportFilter.extend({ rounding })
/** All that the filter lets through, for printing: its sums are those of its rows. */
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
      /** The minutes that are invoiced, rounded; what one hour costs, and what they come to, in cents. */
      billed: z.number(),
      rate: z.number().nullable(),
      cents: z.number().nullable(),
    }),
  ),
})
export type Statement = z.infer<typeof statement>
