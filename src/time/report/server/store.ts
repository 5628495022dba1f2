import { and, desc, eq, gte, inArray, lte, type SQL, sql } from 'drizzle-orm'
import type { BoardGrant } from '../../../boards/server/grants'
import type { Db } from '../../../db/client'
import { tasks, timeEntries, users } from '../../../db/schema'
import { summaryOf } from '../../../users/schema'
import { readEntries, toEntry } from '../../entries/server/lookup'
import { type Prices, priced, pricesOf } from '../../rates/server/store'
import { type ReportFilter, type ReportRow, SHARES_MAX, type Sums } from '../schema'

/** What a filter lets through. What is in the trash does not count; asked once, not of every entry, it leaves the index all the rest. */
export function matching(boardId: number, { from, to, taskIds = [], userIds = [] }: ReportFilter): SQL | undefined {
  const trash = sql`array(select id from tasks where board_id = ${boardId} and deleted_at is not null)`
  return and(
    eq(timeEntries.boardId, boardId),
    from === undefined ? undefined : gte(timeEntries.day, from),
    to === undefined ? undefined : lte(timeEntries.day, to),
    taskIds.length > 0 ? inArray(timeEntries.taskId, taskIds) : undefined,
    userIds.length > 0 ? inArray(timeEntries.userId, userIds) : undefined,
    sql`${timeEntries.taskId} <> all(${trash})`,
  )
}

export const newestFirst = [desc(timeEntries.day), desc(timeEntries.startTime), desc(timeEntries.id)]

/** One page of the entries that match, the newest first, with what they come to. */
export async function readPage(
  db: Db,
  grant: BoardGrant<'read'>,
  { prices, filter, page, pageSize }: { prices: Prices; filter: ReportFilter; page: number; pageSize: number },
): Promise<ReportRow[]> {
  // Which ones is read from the index alone, however many come before them.
  const ids = db
    .select({ id: timeEntries.id })
    .from(timeEntries)
    .where(matching(grant.board.id, filter))
    .orderBy(...newestFirst)
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  const rows = await readEntries(db)
    .where(inArray(timeEntries.id, ids))
    .orderBy(...newestFirst)
  const entries = rows.map(toEntry)
  const ofPage = entries.map(({ id }) => id)
  const priceOf = await pricesOf(db, grant, prices, ofPage)
  return entries.map((entry) => ({ ...entry, cents: priceOf.get(entry.id)?.cents ?? null }))
}

/** What runs is counted among the entries, and adds no minutes before it rests. */
const minutes = sql<number>`coalesce(sum(${timeEntries.duration}) filter (where ${timeEntries.status} <> 'ACTIVE'), 0)::float8`

/** The sums over all entries that match, and who, what and when had how much of it. */
export async function readSums(db: Db, { board }: BoardGrant<'read'>, filter: ReportFilter, prices: Prices): Promise<Sums> {
  const { day, userId, taskId } = timeEntries
  const { billed, cents, unrated, rates, inForce } = priced(prices)
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
  // Of 100,000 entries this makes one hundred milliseconds two.
  if (prices.amounts !== null) query.leftJoin(rates, inForce)
  const rows = await query.where(matching(board.id, filter)).groupBy(sql`grouping sets ((${day}), (${userId}), (${taskId}), ())`)
  // Each bit of `set` says of what a row is the sum: those that are 1 are summed over.
  const of = (set: number) => rows.filter((row) => row.set === set)
  const largest = (set: number, atMost: number) =>
    of(set)
      .toSorted((a, b) => b.minutes - a.minutes || a.taskId - b.taskId || a.userId - b.userId)
      .slice(0, atMost)
  const total = of(0b111)[0]
  return {
    minutes: total?.minutes ?? 0,
    entries: total?.entries ?? 0,
    exportable: total?.exportable ?? 0,
    cents: total?.cents ?? 0,
    amounts: prices.amounts,
    billed: total?.billed ?? 0,
    unrated: total?.unrated ?? 0,
    byDay: of(0b011)
      .toSorted((a, b) => (a.day < b.day ? 1 : -1))
      .slice(0, SHARES_MAX.days)
      .map(({ day, minutes, entries }) => ({ day, minutes, entries })),
    byUser: await withPeople(db, largest(0b101, SHARES_MAX.people)),
    byTask: await withTitles(db, largest(0b110, SHARES_MAX.tasks)),
  }
}

type Sum = { userId: number; taskId: number; minutes: number; entries: number; cents: number; billed: number; unrated: number }

async function withPeople(db: Db, sums: Sum[]) {
  const ids = sums.map(({ userId }) => userId)
  const people = ids.length > 0 ? await db.select(summaryOf(users)).from(users).where(inArray(users.id, ids)) : []
  const byId = new Map(people.map((user) => [user.id, user]))
  return sums.flatMap(({ userId, minutes, entries, cents, billed, unrated }) => {
    const user = byId.get(userId)
    return user ? [{ user, minutes, entries, cents, billed, unrated }] : []
  })
}

async function withTitles(db: Db, sums: Sum[]) {
  const ids = sums.map(({ taskId }) => taskId)
  const named =
    ids.length > 0 ? await db.select({ id: tasks.id, title: tasks.title }).from(tasks).where(inArray(tasks.id, ids)) : []
  const titles = new Map(named.map(({ id, title }) => [id, title]))
  return sums.flatMap(({ taskId, minutes, entries, cents, billed, unrated }) => {
    const title = titles.get(taskId)
    return title === undefined ? [] : [{ taskId, title, minutes, entries, cents, billed, unrated }]
  })
}
