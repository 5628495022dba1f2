import { and, desc, eq, gte, inArray, lte, ne, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { tasks, timeEntries, users } from '../../db/schema'
import type { BoardGrant } from '../../server/grants'
import { type Report, type ReportFilter, type ReportPage, SHARES_MAX, type TimeEntry } from '../inputs'
import { readEntries, toEntry } from '../store'

/** One page of a board's entries and the sums over all that the filter lets through, both from one index. */
export async function readReport(
  db: Db,
  { board }: BoardGrant<'read'>,
  { page, pageSize, ...filter }: ReportPage,
): Promise<Report> {
  const where = matching(board.id, filter)
  const sums = await readSums(db, where)
  const last = Math.max(1, Math.ceil(sums.entries / pageSize))
  const shown = Math.min(page, last)
  return { ...sums, page: shown, rows: await readRows(db, where, pageSize, (shown - 1) * pageSize) }
}

/** What is in the trash does not count; asked once, not of every entry, it leaves the index all the rest. */
function matching(boardId: number, { from, to, taskIds = [], userIds = [] }: ReportFilter): SQL | undefined {
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

/** The ids of what is exported, in its order: without what runs. */
export async function exported(db: Db, { board }: BoardGrant<'read'>, filter: ReportFilter): Promise<number[]> {
  const newest = sql.join(newestFirst, sql`, `)
  const [row] = await db
    // As JSON, which comes as numbers from either database.
    .select({ ids: sql<number[]>`coalesce(json_agg(${timeEntries.id} order by ${newest}), '[]')` })
    .from(timeEntries)
    .where(and(matching(board.id, filter), ne(timeEntries.status, 'ACTIVE')))
  return row?.ids ?? []
}

/** Some of them, in the order given; those that were deleted meanwhile are not there. */
export async function readExported(db: Db, { board }: BoardGrant<'read'>, ids: number[]): Promise<TimeEntry[]> {
  const rows = await readEntries(db).where(and(eq(timeEntries.boardId, board.id), inArray(timeEntries.id, ids)))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? []).map(toEntry)
}

const newestFirst = [desc(timeEntries.day), desc(timeEntries.startTime), desc(timeEntries.id)]

async function readRows(db: Db, where: SQL | undefined, limit: number, offset: number) {
  // Which ones is read from the index alone, however many come before them.
  const ids = db
    .select({ id: timeEntries.id })
    .from(timeEntries)
    .where(where)
    .orderBy(...newestFirst)
    .limit(limit)
    .offset(offset)
  const rows = await readEntries(db)
    .where(inArray(timeEntries.id, ids))
    .orderBy(...newestFirst)
  return rows.map(toEntry)
}

/** What runs is counted among the entries, and adds no minutes before it rests. */
const minutes = sql<number>`coalesce(sum(${timeEntries.duration}) filter (where ${timeEntries.status} <> 'ACTIVE'), 0)::float8`

async function readSums(db: Db, where: SQL | undefined) {
  const { day, userId, taskId } = timeEntries
  const rows = await db
    .select({
      day,
      userId,
      taskId,
      minutes,
      entries: sql<number>`count(*)::int`,
      set: sql<number>`grouping(${day}, ${userId}, ${taskId})`,
    })
    .from(timeEntries)
    .where(where)
    .groupBy(sql`grouping sets ((${day}), (${userId}), (${taskId}), ())`)
  // Each bit of `set` says of what a row is the sum: those that are 1 are summed over.
  const of = (set: number) => rows.filter((row) => row.set === set)
  const largest = (set: number, atMost: number) =>
    of(set)
      .toSorted((a, b) => b.minutes - a.minutes || b.entries - a.entries)
      .slice(0, atMost)
  const total = of(0b111)[0]
  return {
    minutes: total?.minutes ?? 0,
    entries: total?.entries ?? 0,
    byDay: of(0b011)
      .toSorted((a, b) => (a.day < b.day ? 1 : -1))
      .slice(0, SHARES_MAX.days)
      .map(({ day, minutes, entries }) => ({ day, minutes, entries })),
    byUser: await withPeople(db, largest(0b101, SHARES_MAX.people)),
    byTask: await withTitles(db, largest(0b110, SHARES_MAX.tasks)),
  }
}

type Sum = { userId: number; taskId: number; minutes: number; entries: number }

async function withPeople(db: Db, sums: Sum[]) {
  const { id, username, name, avatar } = users
  const ids = sums.map(({ userId }) => userId)
  const people = ids.length > 0 ? await db.select({ id, username, name, avatar }).from(users).where(inArray(id, ids)) : []
  const byId = new Map(people.map((user) => [user.id, user]))
  return sums.flatMap(({ userId, minutes, entries }) => {
    const user = byId.get(userId)
    return user ? [{ user, minutes, entries }] : []
  })
}

async function withTitles(db: Db, sums: Sum[]) {
  const ids = sums.map(({ taskId }) => taskId)
  const named =
    ids.length > 0 ? await db.select({ id: tasks.id, title: tasks.title }).from(tasks).where(inArray(tasks.id, ids)) : []
  const titles = new Map(named.map(({ id, title }) => [id, title]))
  return sums.flatMap(({ taskId, minutes, entries }) => {
    const title = titles.get(taskId)
    return title === undefined ? [] : [{ taskId, title, minutes, entries }]
  })
}
