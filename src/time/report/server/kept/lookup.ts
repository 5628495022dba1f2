import { and, between, eq, gt, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../../../../db/database'
import { timeTotals } from '../../../../db/schema'
import type { Pricing } from '../../../rates/server/store'
import type { ReportFilter } from '../../schema'
import { GROUPED, type Subtotal } from '../lookup'
import { periodsOf } from './periods'

const { boardId, span, day, userId, taskId } = timeTotals

// Literals instead of parameters, so that Postgres can use the partial indexes.
const allUsers = sql`${userId} = 0`
const allTasks = sql`${taskId} = 0`
const allDays = eq(span, 0)

/** Unsafe in parallel: it also keeps Postgres from starting workers, which takes longer than these few rows. */
const keptOf = (id: number) => and(eq(boardId, id), sql`has_time_totals(${id}::int)`)

type Days = { first: string; last: string }

/** The days with entries of a board whose sums are kept; undefined for others. */
export async function keptDays(db: Db, id: number): Promise<Days | undefined> {
  const [row] = await db
    .select({ first: sql<string | null>`min(${day})::text`, last: sql<string | null>`max(${day})::text` })
    .from(timeTotals)
    .where(and(keptOf(id), allUsers, eq(span, 1), allTasks))
  return row?.first && row.last ? { first: row.first, last: row.last } : undefined
}

const hasDays = ({ from, to }: ReportFilter) => from !== undefined || to !== undefined

/** Sums are kept for people, for tasks and for days, not for two of these together. */
export const areKept = (filter: ReportFilter) =>
  [hasDays(filter), filter.userIds?.length, filter.taskIds?.length].filter(Boolean).length <= 1

/** Reads no entry, however many there are. */
export function readKept(db: Db, id: number, filter: ReportFilter, pricing: Pricing, days: Days): Promise<Subtotal[]> {
  const first = [filter.from ?? '', days.first].toSorted()[1] ?? days.first
  const last = [filter.to ?? days.last, days.last].toSorted()[0] ?? days.last
  const ofUsers = filter.userIds?.length ? inArray(userId, filter.userIds) : undefined
  const ofTasks = filter.taskIds?.length ? inArray(taskId, filter.taskIds) : undefined
  const during = hasDays(filter) ? isOneOf(first, last) : allDays
  const select = (set: number, by: AnyPgColumn, ...where: (SQL | undefined)[]) =>
    db
      .select({ set: sql<number>`${set}::int`, ...keys(by), ...sums(pricing) })
      .from(timeTotals)
      .where(and(keptOf(id), ...where))
      .groupBy(by)
  return select(GROUPED.byDay, day, eq(span, 1), between(day, first, last), ofUsers ?? allUsers, ofTasks ?? allTasks)
    .unionAll(select(GROUPED.byUser, userId, during, ofUsers ?? gt(userId, 0), ofTasks ?? allTasks))
    .unionAll(select(GROUPED.byTask, taskId, during, ofUsers ?? allUsers, ofTasks ?? sql`${taskId} > 0`))
}

function isOneOf(first: string, last: string): SQL {
  const bySpan = Map.groupBy(periodsOf(first, last), (period) => period.span)
  const days = bySpan.entries().map(([length, periods]) => {
    const starts = periods.map((period) => period.day)
    return and(eq(span, length), inArray(day, starts))
  })
  return or(...days) ?? sql`false`
}

const keys = (by: AnyPgColumn) => ({
  day: sql<string>`${by === day ? day : sql`null`}::text`,
  userId: sql<number>`${by === userId ? userId : sql`0`}::int`,
  taskId: sql<number>`${by === taskId ? taskId : sql`0`}::int`,
})

function sums({ amounts, rounding }: Pricing) {
  const sum = (column: AnyPgColumn) => sql<number>`sum(${column})::float8`
  const amount = (column: AnyPgColumn) => (amounts === null ? sql<number>`0::float8` : sum(column))
  return {
    minutes: sum(timeTotals.minutes),
    entries: sum(timeTotals.entries),
    exportable: sum(timeTotals.exportable),
    cents: amount(timeTotals[`cents${rounding}`]),
    billed: amount(timeTotals[`billed${rounding}`]),
    unrated: amount(timeTotals[`unrated${rounding}`]),
  }
}
