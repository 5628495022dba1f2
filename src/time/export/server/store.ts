import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import { maySeeAllRates } from '../../../access'
import type { BoardGrant } from '../../../boards/server/grants'
import type { Db } from '../../../db/client'
import { tasks, timeEntries, users } from '../../../db/schema'
import type { UserSummary } from '../../../users/schema'
import type { TimeEntry } from '../../entries/schema'
import { NO_PRICE, type Price, type Prices, pricesOf } from '../../rates/server/store'
import type { ReportFilter } from '../../report/schema'
import { matching, newestFirst } from '../../report/server/store'

/** What of a board's time an export holds: all that the filter lets through, or what the viewer may put on an invoice. */
export type Choice = { filter: ReportFilter; isInvoice?: boolean }

/** One's own work; everybody's for the board's creator. What has no rate yet stays in, for it is to be invoiced too. */
function chosen({ board, viewer }: BoardGrant<'read'>, isInvoice = false): SQL | undefined {
  if (!isInvoice) return undefined
  return and(timeEntries.billable, maySeeAllRates(viewer, board) ? undefined : eq(timeEntries.userId, viewer.id))
}

/** The ids of what is exported, in its order: without what runs. */
export async function exportedIds(db: Db, grant: BoardGrant<'read'>, choice: Choice, part: Slice): Promise<number[]> {
  // In this order the index has them: the first ones are there without looking at the others.
  const some = db
    .select({ id: timeEntries.id })
    .from(timeEntries)
    .where(and(matching(grant.board.id, choice.filter), chosen(grant, choice.isInvoice), ne(timeEntries.status, 'ACTIVE')))
    .orderBy(...newestFirst)
    .offset(part.from ?? 0)
    .limit(part.atMost ?? ALL)
    .as('some')
  // As JSON, which comes as numbers from either database.
  const [row] = await db.select({ ids: sql<number[]>`coalesce(json_agg(${some.id}), '[]')` }).from(some)
  return row?.ids ?? []
}

type Slice = { from?: number; atMost?: number }
const ALL = 2 ** 31 - 1

/**
 * What is exported as it is at one moment: how it begins is there at once, and the ids of the rest in a moment, however
 * many there are.
 */
export function startExport(db: Db, grant: BoardGrant<'read'>, choice: Choice, prices: Prices, atOnce: number) {
  const first = Promise.withResolvers<Invoiced[]>()
  const rest = db.transaction(
    async (at) => {
      const ids = await exportedIds(at, grant, choice, { atMost: atOnce })
      first.resolve(await readInvoiced(at, grant, prices, ids))
      return ids.length < atOnce ? [] : exportedIds(at, grant, choice, { from: atOnce })
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
  // Whoever waits for either is told; one who went away waits for none.
  rest.catch(first.reject)
  return { first: first.promise, rest }
}

/** Some of them, in the order given; those that were deleted meanwhile are not there. */
async function readExported(db: Db, { board }: BoardGrant<'read'>, ids: number[]): Promise<Exported[]> {
  const { id, userId, day, duration, note, billable } = timeEntries
  const rows = await db
    .select({ id, userId, day, duration, note, billable, task: tasks.title, username: users.username, name: users.name })
    .from(timeEntries)
    .innerJoin(tasks, eq(tasks.id, timeEntries.taskId))
    .innerJoin(users, eq(users.id, timeEntries.userId))
    // One parameter: a thousand take longer to write than to read.
    .where(and(eq(timeEntries.boardId, board.id), sql`${id} = any(${sql.param(ids)}::int[])`))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** As above, with what they are invoiced as. */
export async function readInvoiced(db: Db, grant: BoardGrant<'read'>, prices: Prices, ids: number[]): Promise<Invoiced[]> {
  const entries = await readExported(db, grant, ids)
  const priceOf = await pricesOf(db, grant, prices, ids)
  return entries.map((entry) => ({ ...entry, ...(priceOf.get(entry.id) ?? NO_PRICE) }))
}

/** What an export says of an entry. */
type Told = Pick<TimeEntry, 'id' | 'userId' | 'task' | 'day' | 'duration' | 'note' | 'billable'>
type Exported = Told & Pick<UserSummary, 'username' | 'name'>
export type Invoiced = Exported & Price
