import { durationText } from '../../format'
import { displayName } from '../../users/schema'
import { dayText, NOTHING_TO_EXPORT } from '../limits'
import { CURRENCY, decimalText, NOTHING_TO_INVOICE } from '../schema'
import type { ExportRow } from './export.store'

export const BOM = '\uFEFF'

const COLUMNS = ['Task', 'User', 'Date', 'Duration (minutes)', 'Duration (formatted)', 'Notes']
const INVOICE_COLUMNS = ['Billable', 'Billed (minutes)', `Hourly rate (${CURRENCY})`, `Amount (${CURRENCY})`]

const plainCells = ({ task, day, duration, note, ...user }: ExportRow) => [
  task,
  displayName(user),
  dayText(day),
  String(duration),
  durationText(duration),
  note ?? '',
]
/** Empty instead of 0 without a rate that the viewer may see. */
const invoiceCells = ({ billable, billed, rate, cents }: ExportRow) => [
  billable ? 'Yes' : 'No',
  cents === null ? '' : String(billed),
  rate === null ? '' : decimalText(rate),
  cents === null ? '' : decimalText(cents),
]

export type Format = {
  name: string
  columns: string[]
  cells: (row: ExportRow) => string[]
  emptyMessage: string
  includes: (row: ExportRow) => boolean
}

/** Invoices have no line with totals, because spreadsheets would add it up with the others. */
export const FORMATS: Record<'plain' | 'invoice', Format> = {
  plain: {
    name: 'time logs (filtered)',
    columns: COLUMNS,
    cells: plainCells,
    emptyMessage: NOTHING_TO_EXPORT,
    includes: () => true,
  },
  invoice: {
    name: 'invoice',
    columns: [...COLUMNS, ...INVOICE_COLUMNS],
    cells: (row) => [...plainCells(row), ...invoiceCells(row)],
    emptyMessage: NOTHING_TO_INVOICE,
    // Checked again, as it may have changed since the ids were read.
    includes: ({ billable }) => billable,
  },
}

/** As in RFC 4180; also quotes semicolons and tabs, which separate cells in some locales. */
export const csvLine = (cells: string[]) => `${cells.map(cell).join(',')}\r\n`

function cell(text: string): string {
  const harmless = text.replace(FORMULA, "'")
  return /[",;\t\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/**
 * Before what spreadsheets would run, including full-width characters, which some treat alike. Where semicolons or tabs separate
 * cells, a comma before the quote makes it a letter: then these and line breaks begin a cell in the middle of a text.
 */
const FORMULA = /^(?=[\t\r\n])|(?=[=+\-@＝＋－＠])(?<=^|[;\t\r\n]"*)/g
