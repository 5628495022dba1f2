import { isDay } from '../../../basics'
import { withPauses } from './withPauses'

export type DayOrder = 'day first' | 'month first' | 'unknown'
/** `seconds` of the day, where a time is told. */
export type ReadDate = { day: string; seconds: number | null; moment: string }

const ISO = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/
const NUMBERS = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/
const DAY_MONTH = /^(?:[a-z]{3,9}\.?,?\s+)?(\d{1,2})(?:st|nd|rd|th)?[-/.\s]+([a-z]{3,9})\.?[-/,\s]+(\d{4}|\d{2})(?!\d)/i
const MONTH_DAY = /^(?:[a-z]{3,9}\.?,\s+)?([a-z]{3,9})\.?[-/\s]+(\d{1,2})(?:st|nd|rd|th)?,?[-/\s]+(\d{4}|\d{2})(?!\d)/i
const TIME = /(?:^|[\sT])(\d{1,2}):(\d\d)(?::(\d\d))?(?:\.\d+)?\s*(?:([ap])\.?m\.?)?/i
const OFFSET = /(?:Z|[+-]\d\d:?\d\d)$/

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Whether 3/4 is in March or in April, where the dates of a file tell. */
export async function dayOrderOf(dates: Iterable<string>): Promise<DayOrder> {
  let dotted = 0
  let isUnclear = false
  for await (const text of withPauses(dates)) {
    const [, first, between, second] = NUMBERS.exec(text.trim()) ?? []
    if (first === undefined) continue
    if (Number(first) > 12) return 'day first'
    if (Number(second) > 12) return 'month first'
    if (between === '.') dotted += 1
    else isUnclear = true
  }
  if (isUnclear) return 'unknown'
  return dotted > 0 ? 'day first' : 'month first'
}

export const isUnclear = (text: string): boolean => NUMBERS.test(text.trim())

/** As written, in UTC where no offset is told; null where it is none. */
export function readDate(text: string, order: DayOrder): ReadDate | null {
  const day = dayIn(text.trim(), order)
  if (!isDay(day)) return null
  const seconds = secondsIn(text)
  const at = OFFSET.test(text.trim()) && ISO.test(text.trim()) ? Date.parse(text.trim()) : Number.NaN
  const moment = new Date(Number.isNaN(at) ? Date.parse(`${day}T00:00:00Z`) + (seconds ?? 0) * 1000 : at).toISOString()
  return { day, seconds, moment }
}

function dayIn(text: string, order: DayOrder): string {
  const iso = ISO.exec(text)
  if (iso) return written(iso[1], iso[2], iso[3])
  const [, first, , second, year] = NUMBERS.exec(text) ?? []
  if (first !== undefined) return order === 'day first' ? written(year, second, first) : written(year, first, second)
  const [, day, month, inYear] = DAY_MONTH.exec(text) ?? []
  if (day !== undefined) return written(inYear, monthNumber(month), day)
  const [, named, dayOfIt, ofYear] = MONTH_DAY.exec(text) ?? []
  return named === undefined ? '' : written(ofYear, monthNumber(named), dayOfIt)
}

const monthNumber = (name = '') => String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1)

const written = (year = '', month = '', day = '') =>
  `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`

export function secondsIn(text: string): number | null {
  const [found, hours = '', minutes = '', seconds = '0', half = ''] = TIME.exec(text) ?? []
  if (found === undefined || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null
  const hour = half === '' ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  return hour * 3600 + Number(minutes) * 60 + Number(seconds)
}

const DURATION_MAX = 40

/** Seconds of "1:30:00", "1:30", "1.5" or "1,5" hours, "1h 30m"; null where it is none. */
export function durationIn(cell: string): number | null {
  const text = cell.trim()
  if (text.length > DURATION_MAX) return null
  const [, hours, minutes, seconds = '0'] = /^(\d{1,6}):(\d\d)(?::(\d\d)(?:\.\d+)?)?$/.exec(text) ?? []
  if (hours !== undefined) return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  if (/^\d{1,6}([.,]\d+)?$/.test(text)) return Math.round(Number(text.replace(',', '.')) * 3600)
  const [, h, m, s] = /^(?:(\d{1,6})\s*h)?\s*(?:(\d{1,6})\s*m(?:in)?)?\s*(?:(\d{1,6})\s*s)?$/.exec(text) ?? []
  return (h ?? m ?? s) === undefined ? null : Number(h ?? 0) * 3600 + Number(m ?? 0) * 60 + Number(s ?? 0)
}
