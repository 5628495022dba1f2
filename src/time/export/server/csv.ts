import { grantBoardReading } from '../../../boards/server/grants'
import { createSemaphore } from '../../../server/concurrency'
import { conflict } from '../../../server/errors'
import { contentDisposition } from '../../../server/headers'
import { streamText } from '../../../server/jsonStream'
import { idIn, type ProtectedRequest, parseInput, queryOf } from '../../../server/routes'
import { displayName } from '../../../users/schema'
import { dayText, durationText, NOTHING_TO_EXPORT } from '../../entries/schema'
import { CURRENCY, decimalText } from '../../rates/schema'
import { NO_PRICES, pricesFor } from '../../rates/server/store'
import { exportOptions, NOTHING_TO_INVOICE } from '../../report/schema'
import { type Invoiced, readInvoiced, startExport } from './store'

/** Each holds what its reader has not taken yet, and somebody may read very slowly. */
const acquireExport = createSemaphore({ perUser: 2, total: 30 }, 'Too many exports at once.')

/** So many entries are in memory at once. */
const AT_ONCE = 1_000

/**
 * A board's time as a file for spreadsheets (board-page.md, section 9): all that the filters let through, and no timer
 * that runs, as nothing of it is logged yet. Which entries is asked once, so that none is missing or there twice,
 * whatever others change meanwhile; they are read as fast as they are taken, outside of any transaction, which someone
 * slow would hold open.
 */
export async function sendCsv({ services, viewer, headers, request, params }: ProtectedRequest): Promise<Response> {
  const boardId = idIn(params.boardId)
  const { format, rounding, ...filter } = parseInput(exportOptions, queryOf(request))
  const grant = await grantBoardReading(services.db, viewer, boardId)
  const prices = format === 'plain' ? NO_PRICES : await pricesFor(services.db, grant, rounding)
  const release = acquireExport(viewer.id)
  const { columns, cells, nothing, holds } = FORMATS[format]
  const choice = { filter, isInvoice: format === 'invoice' }
  const { first, rest } = startExport(services.db, grant, choice, prices, AT_ONCE)
  const lines = async function* () {
    const begin = await first
    if (begin.length === 0) throw conflict(nothing)
    yield BOM + line(columns) + begin.map((entry) => line(cells(entry))).join('')
    const ids = await rest
    for (let sent = 0; sent < ids.length; sent += AT_ONCE) {
      // Whoever was removed meanwhile reads no further: the download fails, for a shorter file would look like a whole one.
      const still = await grantBoardReading(services.db, viewer, boardId)
      const entries = await readInvoiced(services.db, still, prices, ids.slice(sent, sent + AT_ONCE))
      yield entries
        .filter(holds)
        .map((entry) => line(cells(entry)))
        .join('')
    }
  }
  const body = await streamText(lines(), release)
  headers.set('Content-Type', 'text/csv; charset=utf-8')
  headers.set(
    'Content-Disposition',
    contentDisposition('attachment', `${boardPart(grant.board.name)} - ${FORMATS[format].name}.csv`),
  )
  return new Response(body, { headers })
}

/** What of a board's name may stand in a file's. */
const boardPart = (board: string) => board.replaceAll(/[\\/:*?"<>|\p{C}]/gu, '_')

/** Tells spreadsheets that this is UTF-8. */
const BOM = '\uFEFF'

const COLUMNS = ['Task', 'User', 'Date', 'Duration (minutes)', 'Duration (formatted)', 'Notes']
const FOR_INVOICES = ['Billable', 'Billed (minutes)', `Hourly rate (${CURRENCY})`, `Amount (${CURRENCY})`]

const plain = ({ task, day, duration, note, ...user }: Invoiced) => [
  ...[task, displayName(user), dayText(day), String(duration), durationText(duration), note ?? ''],
]
/** Empty where there is no rate, or the reader may not see it: no amount is not an amount of 0. */
const invoiced = ({ billable, billed, rate, cents }: Invoiced) => [
  billable ? 'Yes' : 'No',
  cents === null ? '' : String(billed),
  rate === null ? '' : decimalText(rate),
  cents === null ? '' : decimalText(cents),
]

/**
 * As the specification has it (board-page.md, section 9), and with what an invoice needs beside that. "The file is named for
 * the board and marked filtered": always, as all that is shown may be all there is, or not. No line sums up an invoice:
 * whoever adds up a column, or sorts it, would count it too.
 */
const FORMATS = {
  plain: { name: 'time logs (filtered)', columns: COLUMNS, cells: plain, nothing: NOTHING_TO_EXPORT, holds: () => true },
  invoice: {
    name: 'invoice',
    columns: [...COLUMNS, ...FOR_INVOICES],
    cells: (entry: Invoiced) => [...plain(entry), ...invoiced(entry)],
    nothing: NOTHING_TO_INVOICE,
    /** Somebody may have changed it since it was chosen. */
    holds: ({ billable }: Invoiced) => billable,
  },
}

/** As RFC 4180 has it; where semicolons or tabs part cells, those in a text must not. */
const line = (cells: string[]) => `${cells.map(cell).join(',')}\r\n`

function cell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return /[",;\t\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** What spreadsheets would run; the wide ones too, which some read as their narrow twins. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
