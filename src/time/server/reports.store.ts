import { setImmediate } from 'node:timers/promises'
import { and, asc, desc, eq, gt, gte, inArray, lte, type SQL, sql } from 'drizzle-orm'
import type { BoardGrant } from '../../boards/server/grants'
import type { Db } from '../../db/database'
import { tasks, timeEntries, users } from '../../db/tables'
import { summaryOf } from '../../users/schema'
import { BREAKDOWN_MAX, type ReportFilter, type ReportRow, type Totals } from '../schema'
import { amountColumns, type Pricing, readAmounts } from './amounts.store'
import { selectEntries, toEntry } from './lookup'

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

export async function readTotals(db: Db, grant: BoardGrant<'read'>, filter: ReportFilter, pricing: Pricing): Promise<Totals> {
  const rows = await readSubtotals(db, grant.board.id, filter, pricing)
  const grouped = (set: number) => rows.filter((row) => row.set === set)
  const users = grouped(GROUPED.byUser)
  return {
    ...users.reduce(add, NOTHING),
    amounts: pricing.amounts,
    byDay: grouped(GROUPED.byDay)
      .toSorted((a, b) => (a.day < b.day ? 1 : -1))
      .slice(0, BREAKDOWN_MAX.days)
      .map(({ day, minutes, entries }) => ({ day, minutes, entries })),
    byUser: await withUsers(db, largest(users, BREAKDOWN_MAX.people)),
    byTask: await withTitles(db, largest(grouped(GROUPED.byTask), BREAKDOWN_MAX.tasks)),
  }
}

const largest = (rows: Subtotal[], max: number) =>
  rows.toSorted((a, b) => b.minutes - a.minutes || a.taskId - b.taskId || a.userId - b.userId).slice(0, max)

async function withUsers(db: Db, subtotals: Subtotal[]) {
  const ids = subtotals.map(({ userId }) => userId)
  const found = ids.length > 0 ? await db.select(summaryOf(users)).from(users).where(inArray(users.id, ids)) : []
  const byId = new Map(found.map((user) => [user.id, user]))
  return subtotals.flatMap((subtotal) => {
    const user = byId.get(subtotal.userId)
    return user ? [{ user, ...shown(subtotal) }] : []
  })
}

async function withTitles(db: Db, subtotals: Subtotal[]) {
  const ids = subtotals.map(({ taskId }) => taskId)
  const named =
    ids.length > 0 ? await db.select({ id: tasks.id, title: tasks.title }).from(tasks).where(inArray(tasks.id, ids)) : []
  const titles = new Map(named.map(({ id, title }) => [id, title]))
  return subtotals.flatMap(({ taskId, ...subtotal }) => {
    const title = titles.get(taskId)
    return title === undefined ? [] : [{ taskId, title, ...shown(subtotal) }]
  })
}

const shown = ({ minutes, entries, cents, billed, unrated }: Sums) => ({ minutes, entries, cents, billed, unrated })

/** The bits of `grouping(day, userId, taskId)`: 1 for each column that is summed over. */
const GROUPED = { byDay: 0b011, byUser: 0b101, byTask: 0b110 }

type Sums = { minutes: number; entries: number; exportable: number; cents: number; billed: number; unrated: number }

/** Sums of a day, person or task, depending on `set`. */
export type Subtotal = Sums & { set: number; day: string; userId: number; taskId: number }

const NOTHING: Sums = { minutes: 0, entries: 0, exportable: 0, cents: 0, billed: 0, unrated: 0 }

const add = (a: Sums, b: Sums): Sums => ({
  minutes: a.minutes + b.minutes,
  entries: a.entries + b.entries,
  exportable: a.exportable + b.exportable,
  cents: a.cents + b.cents,
  billed: a.billed + b.billed,
  unrated: a.unrated + b.unrated,
})

/** Running timers count as entries, but add no minutes yet. */
const minutes = sql<number>`coalesce(sum(${timeEntries.duration}) filter (where ${timeEntries.status} <> 'ACTIVE'), 0)::float8`

/** The embedded database answers nothing else while a statement runs, so more entries than these are summed in steps of whole days. */
const SUMMED_AT_ONCE = 50_000

/** Sums of all matching entries, by day, person and task. */
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
      all.set(key, sum ? { ...row, ...add(sum, row) } : row)
    }
    if (to === undefined) return [...all.values()]
    await setImmediate()
  }
}

/** The day of the entry at this offset; undefined if there are fewer. */
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

type Page = { pricing: Pricing; filter: ReportFilter; byDay: Totals['byDay']; page: number; pageSize: number }

export async function readPage(
  db: Db,
  grant: BoardGrant<'read'>,
  { pricing, filter, byDay, page, pageSize }: Page,
): Promise<ReportRow[]> {
  const { to, skipped } = startOf(byDay, (page - 1) * pageSize)
  // A subquery, because ids come from the index alone, however many entries are skipped.
  const ids = db
    .select({ id: timeEntries.id })
    .from(timeEntries)
    .where(matchesFilter(grant.board.id, { ...filter, to: to ?? filter.to }))
    .orderBy(...newestFirst)
    .limit(pageSize)
    .offset(skipped)
  const rows = await selectEntries(db)
    .where(inArray(timeEntries.id, ids))
    .orderBy(...newestFirst)
  const rowIds = rows.map(({ id }) => id)
  const amounts = await readAmounts(db, grant, pricing, rowIds)
  return rows.map((row) => ({ ...toEntry(row), cents: amounts.get(row.id)?.cents ?? null }))
}

/** The day on which the page begins, so that entries of later days are not read just to skip them. */
function startOf(byDay: Totals['byDay'], offset: number) {
  let skipped = offset
  for (const [nth, { day, entries }] of byDay.entries()) {
    if (skipped < entries || nth === byDay.length - 1) return { to: day, skipped }
    skipped -= entries
  }
  return { skipped }
}
