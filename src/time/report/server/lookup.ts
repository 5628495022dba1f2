import { and, desc, eq, gte, inArray, lte, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database'
import { timeEntries } from '../../../db/schema'
import { amountColumns, type Pricing } from '../../rates/server/store'
import type { ReportFilter } from '../schema'

/** Excludes soft-deleted tasks with one subquery instead of a join, so that the index alone answers the rest. */
export function matchesFilter(boardId: number, { from, to, taskIds = [], userIds = [] }: ReportFilter): SQL | undefined {
  const deletedTasks = sql`array(select id from tasks where board_id = ${boardId} and deleted_at is not null)`
  return and(
    eq(timeEntries.boardId, boardId),
    from === undefined ? undefined : gte(timeEntries.day, from),
    to === undefined ? undefined : lte(timeEntries.day, to),
    taskIds.length > 0 ? inArray(timeEntries.taskId, taskIds) : undefined,
    userIds.length > 0 ? inArray(timeEntries.userId, userIds) : undefined,
    sql`${timeEntries.taskId} <> all(${deletedTasks})`,
  )
}

export const newestFirst = [desc(timeEntries.day), desc(timeEntries.startTime), desc(timeEntries.id)]

/** The bits of `grouping(day, userId, taskId)`: 1 for each column that is summed over. */
export const GROUPED = { byDay: 0b011, byUser: 0b101, byTask: 0b110 }

/** Of a day, person or task, as `set` says. */
export type Subtotal = {
  set: number
  day: string
  userId: number
  taskId: number
  minutes: number
  entries: number
  exportable: number
  cents: number
  billed: number
  unrated: number
}

/** Running timers count as entries, but add no minutes yet. */
const minutes = sql<number>`coalesce(sum(${timeEntries.duration}) filter (where ${timeEntries.status} <> 'ACTIVE'), 0)::float8`

/** Reads every entry that matches. */
export function sumEntries(db: Db, boardId: number, filter: ReportFilter, pricing: Pricing): Promise<Subtotal[]> {
  const { day, userId, taskId } = timeEntries
  const { billed, cents, unrated, rates, inForce } = amountColumns(pricing)
  const query = db
    .select({
      set: sql<number>`grouping(${day}, ${userId}, ${taskId})`,
      day,
      userId,
      taskId,
      minutes,
      entries: sql<number>`count(*)::int`,
      exportable: sql<number>`(count(*) filter (where ${timeEntries.status} <> 'ACTIVE'))::int`,
      cents: sql<number>`coalesce(sum(${cents}), 0)::float8`,
      billed: sql<number>`coalesce(sum(${billed}), 0)::float8`,
      unrated: sql<number>`coalesce(sum(${unrated}), 0)::float8`,
    })
    .from(timeEntries)
    .$dynamic()
  // Joined only if needed: with 100,000 entries, the join takes another 100 ms.
  if (pricing.amounts !== null) query.leftJoin(rates, inForce)
  return query.where(matchesFilter(boardId, filter)).groupBy(sql`grouping sets ((${day}), (${userId}), (${taskId}))`)
}
