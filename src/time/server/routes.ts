import { setImmediate } from 'node:timers/promises'
import { grantBoardReading, grantOwnHours } from '../../boards/server/grants'
import type { Db } from '../../db/database'
import { createSemaphore } from '../../server/concurrency'
import { conflict } from '../../server/errors'
import { contentDisposition, safeFileName } from '../../server/headers'
import { streamBody } from '../../server/responseBody'
import { idIn, type ProtectedRequest, parseInput, protectedRoute, queryOf } from '../../server/routes'
import type { SignedIn } from '../../server/signedIn'
import { exportOptions } from '../schema'
import { NO_PRICING, type Pricing, readPricing } from './amounts.store'
import { BOM, csvLine, FORMATS, type Format } from './csv'
import { type ExportGrant, readExportRows, startExport } from './export.store'

export const timeRoutes = [
  protectedRoute.get(
    '/api/boards/:boardId/time.csv',
    'time.csv',
    "A board's matching time entries as CSV, without running timers; format=invoice has billable ones only, with rates and amounts",
    null,
    (ctx) => sendCsv(ctx, grantBoardReading),
    { inputs: [exportOptions], refuses: [409] },
  ),
  protectedRoute.get(
    '/api/boards/:boardId/my-hours.csv',
    'time.myHours',
    'Your time entries on a board deleted in the last 30 days, as in time.csv',
    null,
    (ctx) => sendCsv(ctx, grantOwnHours, 'my hours'),
    { inputs: [exportOptions], refuses: [409] },
  ),
]

/** Each holds up to a batch in memory until its reader takes it. */
const acquireExport = createSemaphore({ perUser: 2, total: 30 }, 'Too many exports at once.')

const BATCH_SIZE = 1_000

type GrantExport = (db: Db, viewer: SignedIn, boardId: number) => Promise<ExportGrant>

async function sendCsv(ctx: ProtectedRequest, grantExport: GrantExport, name?: string): Promise<Response> {
  const { services, viewer, headers, request, params } = ctx
  const boardId = idIn(params.boardId)
  const { format, rounding, ...filter } = parseInput(exportOptions, queryOf(request))
  const grant = await grantExport(services.db, viewer, boardId)
  const pricing = format === 'plain' ? NO_PRICING : await readPricing(services.db, grant, rounding)
  const release = acquireExport(viewer.id)
  const started = startExport(services.db, grant, { filter, isInvoice: format === 'invoice' }, pricing, BATCH_SIZE)
  const grantAgain = () => grantExport(services.db, viewer, boardId)
  const body = await streamBody(csvChunks(ctx, grantAgain, FORMATS[format], pricing, started), release)
  headers.set('Content-Type', 'text/csv; charset=utf-8')
  headers.set(
    'Content-Disposition',
    contentDisposition('attachment', `${safeFileName(grant.board.name)} - ${name ?? FORMATS[format].name}.csv`),
  )
  return new Response(body, { headers })
}

async function* csvChunks(
  { services }: ProtectedRequest,
  grantAgain: () => Promise<ExportGrant>,
  { columns, cells, emptyMessage, includes }: Format,
  pricing: Pricing,
  { firstRows, otherIds }: ReturnType<typeof startExport>,
) {
  const start = await firstRows
  if (start.length === 0) throw conflict(emptyMessage)
  yield BOM + csvLine(columns) + start.map((row) => csvLine(cells(row))).join('')
  const ids = await otherIds
  for (let sent = 0; sent < ids.length; sent += BATCH_SIZE) {
    // Membership is checked again per batch, and a failed download is better than a short file.
    const rows = await readExportRows(services.db, await grantAgain(), pricing, ids.slice(sent, sent + BATCH_SIZE))
    yield rows
      .filter(includes)
      .map((row) => csvLine(cells(row)))
      .join('')
    await setImmediate()
  }
}
