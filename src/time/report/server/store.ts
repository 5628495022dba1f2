import { and, desc, eq, gte, inArray, lte, type SQL, sql } from 'drizzle-orm'
import type { BoardGrant } from '../../../boards/server/grants'
import type { Db } from '../../../db/database'
import { tasks, timeEntries, users } from '../../../db/schema'
import { summaryOf } from '../../../users/schema'
import { selectEntries, toEntry } from '../../entries/server/lookup'
import { amountColumns, type Pricing, readAmounts } from '../../rates/server/store'
import { BREAKDOWN_MAX, type ReportFilter, type ReportRow, type Totals } from '../schema'

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

export async function readPage(
  db: Db,
  grant: BoardGrant<'read'>,
  { pricing, filter, page, pageSize }: { pricing: Pricing; filter: ReportFilter; page: number; pageSize: number },
): Promise<ReportRow[]> {
  // A subquery, because ids come from the index alone, however many entries are skipped.
  const ids = db
    .select({ id: timeEntries.id })
    .from(timeEntries)
    .where(matchesFilter(grant.board.id, filter))
    .orderBy(...newestFirst)
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  const rows = await selectEntries(db)
    .where(inArray(timeEntries.id, ids))
    .orderBy(...newestFirst)
  const entries = rows.map(toEntry)
  const entryIds = entries.map(({ id }) => id)
  const amounts = await readAmounts(db, grant, pricing, entryIds)
  return entries.map((entry) => ({ ...entry, cents: amounts.get(entry.id)?.cents ?? null }))
}

/** Running timers count as entries, but add no minutes yet. */
const minutes = sql<number>`coalesce(sum(${timeEntries.duration}) filter (where ${timeEntries.status} <> 'ACTIVE'), 0)::float8`

/** The bits of `grouping(day, userId, taskId)`: 1 for each column that is summed over. */
const GROUPED = { byDay: 0b011, byUser: 0b101, byTask: 0b110, all: 0b111 }

export async function readTotals(db: Db, grant: BoardGrant<'read'>, filter: ReportFilter, pricing: Pricing): Promise<Totals> {
  const rows = await readSubtotals(db, grant, filter, pricing)
  const grouped = (set: number) => rows.filter((row) => row.set === set)
  const largest = (set: number, max: number) =>
    grouped(set)
      .toSorted((a, b) => b.minutes - a.minutes || a.taskId - b.taskId || a.userId - b.userId)
      .slice(0, max)
  const [total] = grouped(GROUPED.all)
  return {
    minutes: total?.minutes ?? 0,
    entries: total?.entries ?? 0,
    exportable: total?.exportable ?? 0,
    cents: total?.cents ?? 0,
    amounts: pricing.amounts,
    billed: total?.billed ?? 0,
    unrated: total?.unrated ?? 0,
    byDay: grouped(GROUPED.byDay)
      .toSorted((a, b) => (a.day < b.day ? 1 : -1))
      .slice(0, BREAKDOWN_MAX.days)
      .map(({ day, minutes, entries }) => ({ day, minutes, entries })),
    byUser: await withUsers(db, largest(GROUPED.byUser, BREAKDOWN_MAX.people)),
    byTask: await withTitles(db, largest(GROUPED.byTask, BREAKDOWN_MAX.tasks)),
  }
}

async function readSubtotals(db: Db, { board }: BoardGrant<'read'>, filter: ReportFilter, pricing: Pricing) {
  const { day, userId, taskId } = timeEntries
  const { billed, cents, unrated, rates, inForce } = amountColumns(pricing)
  const query = db
    .select({
      day,
      userId,
      taskId,
      minutes,
      entries: sql<number>`count(*)::int`,
      exportable: sql<number>`(count(*) filter (where ${timeEntries.status} <> 'ACTIVE'))::int`,
      cents: sql<number>`coalesce(sum(${cents}), 0)::float8`,
      billed: sql<number>`coalesce(sum(${billed}), 0)::float8`,
      unrated: sql<number>`coalesce(sum(${unrated}), 0)::float8`,
      set: sql<number>`grouping(${day}, ${userId}, ${taskId})`,
    })
    .from(timeEntries)
    .$dynamic()
  // Joined only if needed: with 100,000 entries, the join takes another 100 ms.
  if (pricing.amounts !== null) query.leftJoin(rates, inForce)
  return query.where(matchesFilter(board.id, filter)).groupBy(sql`grouping sets ((${day}), (${userId}), (${taskId}), ())`)
}

type Subtotal = {
  userId: number
  taskId: number
  minutes: number
  entries: number
  cents: number
  billed: number
  unrated: number
}

async function withUsers(db: Db, subtotals: Subtotal[]) {
  const ids = subtotals.map(({ userId }) => userId)
  const found = ids.length > 0 ? await db.select(summaryOf(users)).from(users).where(inArray(users.id, ids)) : []
  const byId = new Map(found.map((user) => [user.id, user]))
  return subtotals.flatMap(({ userId, minutes, entries, cents, billed, unrated }) => {
    const user = byId.get(userId)
    return user ? [{ user, minutes, entries, cents, billed, unrated }] : []
  })
}

async function withTitles(db: Db, subtotals: Subtotal[]) {
  const ids = subtotals.map(({ taskId }) => taskId)
  const named =
    ids.length > 0 ? await db.select({ id: tasks.id, title: tasks.title }).from(tasks).where(inArray(tasks.id, ids)) : []
  const titles = new Map(named.map(({ id, title }) => [id, title]))
  return subtotals.flatMap(({ taskId, minutes, entries, cents, billed, unrated }) => {
    const title = titles.get(taskId)
    return title === undefined ? [] : [{ taskId, title, minutes, entries, cents, billed, unrated }]
  })
}
