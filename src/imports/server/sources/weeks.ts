import { addDays, WEEKDAYS as DAYS_OF_WEEK, isDay, weekdayOf } from '../../../basics'
import { badRequest } from '../../../server/errors'
import { NAME_MAX, plainName } from './columns'
import { type DayOrder, readDate } from './dates'

const DAY_MS = 86_400_000
const momentOf = (day: string) => Date.parse(day)

const A_MONDAY = '2023-01-02'

/** "monday", "mon", "montag", "lun" … with their numbers, Monday's being 0. */
const WEEKDAYS = new Map(
  ['en', 'de', 'fr', 'es'].flatMap((locale) =>
    (['long', 'short'] as const).flatMap((weekday) => {
      const format = new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' })
      return DAYS_OF_WEEK.map((_, nth) => [plainWord(format.format(momentOf(addDays(A_MONDAY, nth)))), nth] as const)
    }),
  ),
)

function plainWord(word: string): string {
  return plainName(word).replaceAll('.', '')
}

const WEEKDAY = /^(\p{L}{2,10})\.?(?![\p{L}])[\s,(]*/u
/** A day and a month, without their year. */
const SHORT_DATE = /^[\d./\s-]*(?:\p{L}{3,10}\.?)?[\d./\s-]*\)?$/u

function partsOfName(name: string) {
  const [whole = '', word = ''] = WEEKDAY.exec(name) ?? []
  const weekday = WEEKDAYS.get(plainWord(word))
  return { weekday, rest: weekday === undefined ? name : name.slice(whole.length) }
}

/** Whether a column is named after a day: "Mon", "Tuesday, 03/04", "14/04/2025". */
export function isDayName(name: string): boolean {
  if (name.length > NAME_MAX) return false
  const { weekday, rest } = partsOfName(name)
  return (
    readDate(rest, 'day first') !== null ||
    readDate(rest, 'month first') !== null ||
    (weekday !== undefined && SHORT_DATE.test(rest))
  )
}

/** With a column for each day, as of weekly reports. */
export const hasDays = (header: string[]): boolean => header.filter(isDayName).length > 1

const WEEK_UNKNOWN =
  'Neither the columns of this weekly report nor its file name tell which week it is of. Keep the name that the file was exported with, or export the detailed report as CSV.'

const ORDERS: DayOrder[] = ['day first', 'month first']

/**
 * The days of columns that are named after them; those without a date have theirs from the file's name, as of
 * `Clockify_Time_Report_Weekly_14_04_2025-20_04_2025`. Throws BAD_REQUEST where nothing tells.
 */
export function daysOf(names: string[], fileName: string): { days: string[]; isGuess: boolean } {
  const range = rangeIn(fileName, names)
  const readings = ORDERS.flatMap((order) => {
    const days = names.flatMap((name) => dayIn(name, order, range) ?? [])
    return days.length < names.length ? [] : { days, span: spanOf(days), isOutside: !days.every((day) => range.includes(day)) }
  })
  // A week's days follow one another in the right order only.
  const [best, other] = readings.toSorted((a, b) => Number(a.isOutside) - Number(b.isOutside) || a.span - b.span)
  if (!best) throw badRequest(WEEK_UNKNOWN)
  const isClear =
    !other || other.isOutside !== best.isOutside || other.span !== best.span || other.days.join() === best.days.join()
  return isClear ? { days: best.days, isGuess: false } : { days: readings.at(-1)?.days ?? best.days, isGuess: true }
}

function spanOf(days: string[]): number {
  const moments = days.map(momentOf)
  return Math.max(...moments) - Math.min(...moments)
}

function dayIn(name: string, order: DayOrder, range: string[]): string | undefined {
  const { weekday, rest } = partsOfName(name)
  const day = readDate(rest, order)?.day
  if (day !== undefined) return day
  const numbers = (rest.match(/\d+/g) ?? []).map(Number)
  return range.find((one) => weekdayOf(one) === weekday && (numbers.length === 0 || numbers.includes(Number(one.slice(8)))))
}

const DATES = /(?<!\d)(?:\d{4}[-_.]\d{1,2}[-_.]\d{1,2}|\d{1,2}[-_.]\d{1,2}[-_.]\d{4})(?!\d)/g

/** The days from the first to the last of a week that a file is named after; none where it is not. */
function rangeIn(fileName: string, names: string[]): string[] {
  const [from, to] = fileName.match(DATES) ?? []
  if (from === undefined) return []
  for (const order of ORDERS) {
    const first = readDate(from.replaceAll('_', '-'), order)?.day ?? ''
    const length = to === undefined ? 7 : daysBetween(first, readDate(to.replaceAll('_', '-'), order)?.day ?? '') + 1
    if (!isDay(first) || !(length >= 1 && length <= 7)) continue
    // A week is named after its first day alone only where its columns begin with it.
    if (to === undefined && weekdayOf(first) !== partsOfName(names[0] ?? '').weekday) continue
    return Array.from({ length }, (_, nth) => addDays(first, nth))
  }
  return []
}

const daysBetween = (from: string, to: string) => (momentOf(to) - momentOf(from)) / DAY_MS
