import { setImmediate } from 'node:timers/promises'
import { and, asc, desc, eq, gt, gte, inArray, lte, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database'
import { timeEntries } from '../../../db/schema'
import { amountColumns, type Pricing } from '../../rates/server/store'
import type { ReportFilter } from '../schema'

/** Excludes deleted tasks by a hash of their ids instead of a join, so that the index alone answers the rest. */
export function matchesFilter(boardId: number, { from, to, taskIds = [], userIds = [] }: ReportFilter): SQL | undefined {
  const deletedTasks = sql`(select id from tasks where board_id = ${boardId} and deleted_at is not null)`
  return and(
    eq(timeEntries.boardId, boardId),
    from === undefined ? undefined : gte(timeEntries.day, from),
    to === undefined ? undefined : lte(timeEntries.day, to),
    taskIds.length > 0 ? inArray(timeEntries.taskId, taskIds) : undefined,
    userIds.length > 0 ? inArray(timeEntries.userId, userIds) : undefined,
    sql`${timeEntries.taskId} not in ${deletedTasks}`,
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

/** The embedded database answers nobody while a statement runs: more entries than these are summed in steps, of whole days. */
const SUMMED_AT_ONCE = 50_000

/** Of all entries that match, by day, by person and by task. */
export async function readSubtotals(
  db: Db,
  boardId: number,
  filter: ReportFilter,
  pricing: Pricing,
  atOnce = SUMMED_AT_ONCE,
): Promise<Subtotal[]> {
  const all = new Map<string, Subtotal>()
  const matching = matchesFilter(boardId, filter)
  for (let after: string | undefined, to: string | undefined; ; after = to) {
    const left = and(matching, after === undefined ? undefined : gt(timeEntries.day, after))
    to = await dayOfEntry(db, left, atOnce)
    const rows = await sumEntries(db, and(left, to === undefined ? undefined : lte(timeEntries.day, to)), pricing)
    if (to === undefined && all.size === 0) return rows
    for (const row of rows) {
      const key = `${row.set} ${row.day} ${row.userId} ${row.taskId}`
      const sum = all.get(key)
      all.set(key, sum ? added(sum, row) : row)
    }
    if (to === undefined) return [...all.values()]
    await setImmediate()
  }
}

/** The day of the entry that so many come before; undefined where there are not so many. */
async function dayOfEntry(db: Db, where: SQL | undefined, before: number): Promise<string | undefined> {
  const [found] = await db
    .select({ day: timeEntries.day })
    .from(timeEntries)
    .where(where)
    .orderBy(asc(timeEntries.day))
    .offset(before)
    .limit(1)
  return found?.day
}

const added = (a: Subtotal, b: Subtotal): Subtotal => ({
  ...a,
  minutes: a.minutes + b.minutes,
  entries: a.entries + b.entries,
  exportable: a.exportable + b.exportable,
  cents: a.cents + b.cents,
  billed: a.billed + b.billed,
  unrated: a.unrated + b.unrated,
})

function sumEntries(db: Db, where: SQL | undefined, pricing: Pricing): Promise<Subtotal[]> {
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
  return query.where(where).groupBy(sql`grouping sets ((${day}), (${userId}), (${taskId}))`)
}
