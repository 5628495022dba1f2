import { setImmediate } from 'node:timers/promises'
import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import { maySeeAllRates } from '../../access'
import type { BoardGrant, OwnHoursGrant } from '../../boards/server/grants'
import type { Db } from '../../db/database'
import { tasks, timeEntries, users } from '../../db/tables'
import type { UserSummary } from '../../users/schema'
import { displayName } from '../../users/schema'
import { PRINTED_MAX, type ReportFilter, type Statement, type TimeEntry } from '../schema'
import { type EntryAmount, NO_AMOUNT, type Pricing, readAmounts } from './amounts.store'
import { matchesFilter, newestFirst } from './reports.store'

export type ExportGrant = BoardGrant<'read'> | OwnHoursGrant

const isReadable = ({ viewer, board, ...rest }: ExportGrant) =>
  and(eq(timeEntries.boardId, board.id), 'ownOnly' in rest ? eq(timeEntries.userId, viewer.id) : undefined)

export type ExportSelection = { filter: ReportFilter; isInvoice?: boolean }

/** The creator invoices everyone's work, others their own; work without a rate is included. */
function isInvoiceable({ board, viewer }: ExportGrant, isInvoice = false): SQL | undefined {
  if (!isInvoice) return undefined
  return and(timeEntries.billable, maySeeAllRates(viewer, board) ? undefined : eq(timeEntries.userId, viewer.id))
}

/** In the order of the index, so that the first ones are found without reading the others; excludes running timers. */
async function exportedIds(
  db: Db,
  grant: ExportGrant,
  selection: ExportSelection,
  { offset = 0, limit = ALL }: Range,
): Promise<number[]> {
  const selected = db
    .select({ id: timeEntries.id })
    .from(timeEntries)
    .where(
      and(
        isReadable(grant),
        matchesFilter(grant.board.id, selection.filter),
        isInvoiceable(grant, selection.isInvoice),
        ne(timeEntries.status, 'ACTIVE'),
      ),
    )
    .orderBy(...newestFirst)
    .offset(offset)
    .limit(limit)
    .as('selected')
  const [row] = await db.select({ ids: sql<number[]>`coalesce(json_agg(${selected.id}), '[]')` }).from(selected)
  return row?.ids ?? []
}

type Range = { offset?: number; limit?: number }
const ALL = 2 ** 31 - 1

/** Ids are fixed at one moment; later rows are read outside of any transaction, so a slow reader holds no connection. */
export function startExport(db: Db, grant: ExportGrant, selection: ExportSelection, pricing: Pricing, batchSize: number) {
  const firstRows = Promise.withResolvers<ExportRow[]>()
  const otherIds = db.transaction(
    async (transaction) => {
      const ids = await exportedIds(transaction, grant, selection, { limit: batchSize })
      firstRows.resolve(await readExportRows(transaction, grant, pricing, ids))
      return ids.length < batchSize ? [] : exportedIds(transaction, grant, selection, { offset: batchSize })
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
  // Also handles the rejection of `otherIds` if nothing awaits it.
  otherIds.catch(firstRows.reject)
  return { firstRows: firstRows.promise, otherIds }
}

async function readExported(db: Db, grant: ExportGrant, ids: number[]): Promise<ExportedEntry[]> {
  const { id, userId, day, duration, note, billable } = timeEntries
  const rows = await db
    .select({ id, userId, day, duration, note, billable, task: tasks.title, username: users.username, name: users.name })
    .from(timeEntries)
    .innerJoin(tasks, eq(tasks.id, timeEntries.taskId))
    .innerJoin(users, eq(users.id, timeEntries.userId))
    // One parameter, because a thousand take longer to write than the rows take to read.
    .where(and(isReadable(grant), sql`${id} = any(${sql.param(ids)}::int[])`))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export async function readExportRows(db: Db, grant: ExportGrant, pricing: Pricing, ids: number[]): Promise<ExportRow[]> {
  const entries = await readExported(db, grant, ids)
  const amounts = await readAmounts(db, grant, pricing, ids)
  return entries.map((entry) => ({ ...entry, ...(amounts.get(entry.id) ?? NO_AMOUNT) }))
}

type ExportedEntry = Pick<TimeEntry, 'id' | 'userId' | 'task' | 'day' | 'duration' | 'note' | 'billable'> &
  Pick<UserSummary, 'username' | 'name'>
export type ExportRow = ExportedEntry & EntryAmount

const STATEMENT_PAGE = 500

/** Reads in pages, so that other requests are answered in between; `more` if there are too many entries to print. */
export async function readStatement(
  db: Db,
  grant: ExportGrant,
  filter: ReportFilter,
  pricing: Pricing,
): Promise<Pick<Statement, 'more' | 'rows'>> {
  const ids = await exportedIds(db, grant, { filter }, { limit: PRINTED_MAX + 1 })
  const printed = ids.slice(0, PRINTED_MAX)
  const rows: Statement['rows'] = []
  for (let from = 0; from < printed.length; from += STATEMENT_PAGE) {
    const page = await readExportRows(db, grant, pricing, printed.slice(from, from + STATEMENT_PAGE))
    rows.push(...page.map(({ username, name, ...row }) => ({ ...row, user: displayName({ username, name }) })))
    await setImmediate()
  }
  return { more: ids.length > printed.length, rows }
}
