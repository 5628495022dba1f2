import { addDays, isDay, weekdayOf, weekStartOf } from '../../../days'
import { lazy } from '../../../lazy'

const MONTHS = 'january february march april may june july august september october november december'.split(' ')
const WEEKDAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ')
const LETTERS = 3

/** Leap days are at most eight years apart. */
const YEARS = [0, 1, 2, 3, 4, 5, 6, 7, 8]

/** `past`: days without a year, and weekdays, are past ones. `monthFirst`: 12/3 is in December. `first`: the first weekday. */
type Reading = { today: string; past: boolean; monthFirst: boolean; first: number }

const readersOrder = lazy(() => {
  const parts = new Intl.DateTimeFormat(globalThis.navigator?.language).formatToParts()
  const place = (type: string) => parts.findIndex((part) => part.type === type)
  return { monthFirst: place('month') < place('day') }
})

/** The day meant by "tomorrow", "fri", "in 2 weeks", "Nov 25", "3.12." or "2026-11-25"; undefined if it is not a day. */
export function parseDay(typed: string, today: string, given: Partial<Omit<Reading, 'today'>> = {}): string | undefined {
  const text = typed.toLowerCase().replaceAll(',', ' ').replace(/\s+/g, ' ').trim()
  const { past = false, first = 0, monthFirst = readersOrder().monthFirst } = given
  const reading = { today, past, first, monthFirst }
  return named(text, reading) ?? weekday(text, reading) ?? counted(text, today) ?? written(text, reading)
}

const NAMED: Record<string, (today: string, first: number) => string> = {
  today: (today) => today,
  tomorrow: (today) => addDays(today, 1),
  tom: (today) => addDays(today, 1),
  tmrw: (today) => addDays(today, 1),
  yesterday: (today) => addDays(today, -1),
  'next week': (today, first) => addDays(weekStartOf(today, first), 7),
  'last week': (today, first) => addDays(weekStartOf(today, first), -7),
}
const named = (text: string, { today, first }: Reading) => (Object.hasOwn(NAMED, text) ? NAMED[text]?.(today, first) : undefined)

/** The index of the name that starts with this. */
function nth(names: string[], word = ''): number | undefined {
  const found = word.length < LETTERS ? -1 : names.findIndex((name) => name.startsWith(word))
  return found < 0 ? undefined : found
}

function weekday(text: string, { today, past }: Reading): string | undefined {
  const [, which, word] = /^(?:(next|last|this|on) )?([a-z]+)$/.exec(text) ?? []
  const wanted = nth(WEEKDAYS, word)
  if (wanted === undefined) return undefined
  const ahead = (wanted - weekdayOf(today) + 7) % 7
  if (which === 'last' || (past && which !== 'next')) return addDays(today, ahead === 0 && which !== 'last' ? 0 : ahead - 7)
  return addDays(today, ahead || 7)
}

function counted(text: string, today: string): string | undefined {
  const [found, sign, count, unit = 'd', ago] = /^(?:in )?([+-])?(\d{1,3})(?: ?(d|w)(?:ays?|eeks?)?)?( ago)?$/.exec(text) ?? []
  if (!found || (!sign && text === count)) return undefined
  const days = Number(count) * (unit === 'w' ? 7 : 1)
  return addDays(today, sign === '-' || ago ? -days : days)
}

function written(text: string, reading: Reading): string | undefined {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text)
  if (iso) return dayOf(Number(iso[2]), Number(iso[3]), iso[1], reading)
  const monthFirst = /^([a-z]+)\.? (\d{1,2})(?:st|nd|rd|th)?\.?(?: (\d{4}))?$/.exec(text)
  if (monthFirst) return dayOf((nth(MONTHS, monthFirst[1]) ?? -1) + 1, Number(monthFirst[2]), monthFirst[3], reading)
  const dayFirst = /^(\d{1,2})(?:st|nd|rd|th)?\.? ([a-z]+)\.?(?: (\d{4}))?$/.exec(text)
  if (dayFirst) return dayOf((nth(MONTHS, dayFirst[2]) ?? -1) + 1, Number(dayFirst[1]), dayFirst[3], reading)
  const dots = /^(\d{1,2})\.(\d{1,2})\.?(\d{4}|\d\d)?$/.exec(text)
  if (dots) return dayOf(Number(dots[2]), Number(dots[1]), dots[3], reading)
  const [, first, second, year] = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d\d))?$/.exec(text) ?? []
  const asMonthFirst = dayOf(Number(first), Number(second), year, reading)
  const asDayFirst = dayOf(Number(second), Number(first), year, reading)
  return reading.monthFirst ? (asMonthFirst ?? asDayFirst) : (asDayFirst ?? asMonthFirst)
}

/** Without a year it is the next such day, or with `past` the last one. */
function dayOf(month: number, date: number, year: string | undefined, { today, past }: Reading): string | undefined {
  const two = (part: number) => String(part).padStart(2, '0')
  const inYear = (year: number) => `${year}-${two(month)}-${two(date)}`
  if (year) {
    const day = inYear(year.length === 2 ? 2000 + Number(year) : Number(year))
    return isDay(day) ? day : undefined
  }
  const years = YEARS.map((nth) => Number(today.slice(0, 4)) + (past ? -nth : nth))
  return years.map(inYear).find((day) => isDay(day) && (past ? day <= today : day >= today))
}

/** Fewer forms than a day field accepts: "Tom", "1.2", "Frida" and "24/7" at the end of a title are not days. */
const IN_TITLES = [
  /^(today|tomorrow|tmrw|next week)$/,
  /^((next|on) )?(mon|tues?|wed(nes)?|thu(rs?)?|fri|sat(ur)?|sun)(day)?$/,
  /^\d{1,2}(\.|st|nd|rd|th)? [a-z]{3,9}( \d{4})?$/,
  /^[a-z]{3,9} \d{1,2}(st|nd|rd|th)?( \d{4})?$/,
  /^\d{4}-\d\d-\d\d$/,
  /^\d{1,2}\.\d{1,2}\.(\d{4}|\d\d)?$/,
  /^(?!24\/7$)\d{1,2}\/\d{1,2}(\/(\d{4}|\d\d))?$/,
  /^in \d{1,3} (days?|weeks?)$/,
]

/** Like `parseDay`, for the last words of a title. */
export const dayInTitle = (text: string, today: string, given?: Parameters<typeof parseDay>[2]): string | undefined =>
  IN_TITLES.some((pattern) => pattern.test(text.toLowerCase())) ? parseDay(text, today, given) : undefined
