import { inArray } from 'drizzle-orm'
import type { BoardGrant } from '../../../boards/server/grants'
import type { Db } from '../../../db/database'
import { tasks, timeEntries, users } from '../../../db/schema'
import { summaryOf } from '../../../users/schema'
import { selectEntries, toEntry } from '../../entries/server/lookup'
import { type Pricing, readAmounts } from '../../rates/server/store'
import { BREAKDOWN_MAX, type ReportFilter, type ReportRow, type Totals } from '../schema'
import { GROUPED, matchesFilter, newestFirst, readSubtotals, type Subtotal } from './lookup'

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
  const entries = rows.map(toEntry)
  const entryIds = entries.map(({ id }) => id)
  const amounts = await readAmounts(db, grant, pricing, entryIds)
  return entries.map((entry) => ({ ...entry, cents: amounts.get(entry.id)?.cents ?? null }))
}

/** On what day the page begins: the entries of later days are not read to be skipped. */
function startOf(byDay: Totals['byDay'], offset: number) {
  let skipped = offset
  for (const [nth, { day, entries }] of byDay.entries()) {
    if (skipped < entries || nth === byDay.length - 1) return { to: day, skipped }
    skipped -= entries
  }
  return { skipped }
}

export async function readTotals(db: Db, grant: BoardGrant<'read'>, filter: ReportFilter, pricing: Pricing): Promise<Totals> {
  const rows = await readSubtotals(db, grant.board.id, filter, pricing)
  const grouped = (set: number) => rows.filter((row) => row.set === set)
  const users = grouped(GROUPED.byUser)
  const total = (of: 'minutes' | 'entries' | 'exportable' | 'cents' | 'billed' | 'unrated') =>
    users.reduce((sum, row) => sum + row[of], 0)
  return {
    minutes: total('minutes'),
    entries: total('entries'),
    exportable: total('exportable'),
    cents: total('cents'),
    amounts: pricing.amounts,
    billed: total('billed'),
    unrated: total('unrated'),
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
