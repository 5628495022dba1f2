import { isDay } from '../../../days'
import { plainText } from '../guessColumn'
import { withPauses } from './text'

export type DayOrder = 'day first' | 'month first' | 'unknown'
/** `seconds` of the day, if it has a time. */
export type ReadDate = { day: string; seconds: number | null; moment: string }

const ISO = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})(?!\d)/
const NUMBERS = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}(?!\d)|\d{2}(?![\d:]))/
const DAY_MONTH =
  /^(?:\p{L}{2,10}\.?,?\s+)?(\d{1,2})(?:st|nd|rd|th|er)?[-/.\s]+(?:de\s+)?(\p{L}{3,10})\.?[-/,\s]+(?:de\s+)?(\d{4}(?!\d)|\d{2}(?![\d:]|\s?[ap]\.?m\b))/iu
const MONTH_DAY =
  /^(?:\p{L}{2,10}\.?,?\s+)?(\p{L}{3,10})\.?[-/\s]+(\d{1,2})(?:st|nd|rd|th)?,?[-/\s]+(\d{4}(?!\d)|\d{2}(?![\d:]|\s?[ap]\.?m\b))/iu
const TIME = /(?:^|[\sT])(\d{1,2}):(\d\d)(?::(\d\d))?(?:\.\d+)?\s*(?:([ap])\.?\s?m(?!\p{L})\.?)?/iu
const DATE_MAX = 100
/** Milliseconds (ClickUp) from 2001 to 2065, or seconds to 2033: other numbers, such as 202603251030, are not times. */
const EPOCH = /^(?:[12]\d{12}|1\d{9})$/

/** English, German, French and Spanish, by their first letters without accents. */
const MONTHS = [
  ['jan', 'ene'],
  ['feb', 'fev'],
  ['mar', 'mrz'],
  ['apr', 'avr', 'abr'],
  ['may', 'mai'],
  ['jun', 'juin'],
  ['jul', 'juil'],
  ['aug', 'aou', 'ago'],
  ['sep', 'set'],
  ['oct', 'okt'],
  ['nov'],
  ['dec', 'dez', 'dic'],
]

/** Whether 3/4 is in March or April, if the file's dates decide it. */
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

/** UTC if it has no offset; null if it is not a date. */
export function readDate(text: string, order: DayOrder): ReadDate | null {
  const given = text.trim()
  if (given.length > DATE_MAX) return null
  if (EPOCH.test(given)) return readDate(new Date(Number(given) * (given.length === 10 ? 1_000 : 1)).toISOString(), order)
  const day = dayIn(given, order)
  if (!isDay(day)) return null
  const seconds = secondsIn(given)
  const at = Date.parse(`${day}T00:00:00Z`) + (seconds === null ? 0 : seconds * 1000 - offsetMs(given))
  return { day, seconds, moment: new Date(at).toISOString() }
}

const RANGE_MARKS = [
  /\s*(?:→|–|—|\.\.+)\s*|\s+-\s+|\s+(?:to|bis|until|à|au|al|hasta)\s+/iu,
  // Without spaces, a hyphen only between two whole dates, and the slash of ISO 8601.
  /(?<=^\d{1,2}[/.]\d{1,2}[/.]\d{2,4})-(?=\d{1,2}[/.]\d{1,2}[/.]\d{2})/,
  /(?<=^\d{4}[-/.]\d{1,2}[-/.]\d{1,2})-(?=\d{4}[-/.]\d)/,
  /(?<=^\d{4}-\d\d-\d\d(?:[T ][^/]{1,30})?)\/(?=\d{4}-\d)/,
]

const endsOf = (range: string): string[] =>
  RANGE_MARKS.reduce((parts, mark) => parts.flatMap((part) => part.split(mark)), [range])

/** The end of a range, with the day it begins on. */
export function readRange(text: string, order: DayOrder): (ReadDate & { from: string | null }) | null {
  const [first = '', ...others] = text.length > 2 * DATE_MAX ? [] : endsOf(text.trim())
  const from = readDate(first, order)
  const last = others.length > 0 ? readDate(others.at(-1) ?? '', order) : null
  if (!from) return null
  // An end that cannot be read must not be lost; a time of day may.
  if (others.length > 0 && !last && secondsIn(others.at(-1) ?? '') === null) return null
  return last ? { ...last, from: from.day === last.day ? null : from.day } : { ...from, from: null }
}

function offsetMs(text: string): number {
  const [, sign, hours, minutes] = /(?:\d|GMT|UTC|\s)([+-])(\d\d):?(\d\d)(?:\s*\([^()]{0,60}\))?$/.exec(text) ?? []
  if (sign === undefined) return 0
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
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

function monthNumber(name = ''): string {
  const plain = plainText(name)
  const isOf = (begin: string) => plain.startsWith(begin)
  // "juin" and "juillet" share their first three letters.
  const exact = MONTHS.findIndex((begins) => begins.some((begin) => begin.length > 3 && isOf(begin)))
  return String((exact >= 0 ? exact : MONTHS.findIndex((begins) => begins.some(isOf))) + 1)
}

const written = (year = '', month = '', day = '') =>
  `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`

export function secondsIn(text: string): number | null {
  const [found, hours = '', minutes = '', seconds = '0', half = ''] = TIME.exec(text) ?? []
  if (found === undefined || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null
  const hour = half === '' ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  return hour * 3600 + Number(minutes) * 60 + Number(seconds)
}

const DURATION_MAX = 40

/** Seconds of "1:30:00", "1:30", "1.5", "1,5" or "1.5h" hours, "1h 30m"; null if it is not a duration. */
export function durationIn(cell: string): number | null {
  const text = cell.trim()
  if (text.length > DURATION_MAX) return null
  const [, hours, minutes, seconds = '0'] = /^(\d{1,6}):(\d\d)(?::(\d\d)(?:\.\d+)?)?$/.exec(text) ?? []
  if (hours !== undefined) return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  const [, decimal] = /^(\d{1,6}(?:[.,]\d+)?)(?:\s*h(?:rs?|ours?)?)?$/i.exec(text) ?? []
  if (decimal !== undefined) return Math.round(Number(decimal.replace(',', '.')) * 3600)
  const [, h, m, s] = /^(?:(\d{1,6})\s*h)?\s*(?:(\d{1,6})\s*m(?:in)?)?\s*(?:(\d{1,6})\s*s)?$/i.exec(text) ?? []
  return (h ?? m ?? s) === undefined ? null : Number(h ?? 0) * 3600 + Number(m ?? 0) * 60 + Number(s ?? 0)
}
