import { addDays, WEEKDAYS as DAYS_OF_WEEK, isDay, weekdayOf } from '../../../days'
import { badRequest } from '../../../server/errors'
import type { ColumnField, HourColumn } from '../../schema'
import { type DayOrder, readDate } from './dates'
import { COLUMN_NAME_MAX, type columnsOf, guessFields, plainName, type Spellings, spelled } from './table'
import { TASK_SPELLINGS } from './tasksCsvColumns'

/** Column names in English, German, French and Spanish, as `plainName` gives them. */
export const HOUR_SPELLINGS: Spellings<HourColumn> = {
  project: spelled('project, project name, projekt, projet, proyecto'),
  client: spelled('client, client name, kunde, cliente'),
  task: spelled('task, task name, aufgabe, tache, tarea'),
  note: spelled('description, time entry, time entry description, notes, note, beschreibung, notizen, notiz, descripcion, notas'),
  user: spelled(`user, member, user name, benutzer, mitglied, utilisateur, membre, usuario, miembro, first name, vorname, prenom,
    last name, nachname`),
  email: spelled('email, user email, member email, e mail, correo electronico'),
  tags: spelled('tags, tag, etiquettes, etiquetas'),
  billable: spelled('billable, abrechenbar, facturable'),
  startDate: spelled('start date, date, day, startdatum, datum, date de debut, date debut, jour, fecha de inicio, fecha, dia'),
  startTime: spelled('start time, startzeit, heure de debut, heure debut, hora de inicio'),
  endDate: spelled('end date, stop date, enddatum, date de fin, fecha de finalizacion, fecha de fin'),
  endTime: spelled('end time, stop time, endzeit, heure de fin, hora de finalizacion, hora de fin'),
  duration: spelled(`duration, duration (h), time (h), hours, duration (formatted), registered time, dauer, dauer (h), zeit (h),
    stunden, duree, duree (h), temps (h), heures, duracion, duracion (h), tiempo (h), horas`),
  decimal: spelled(`duration (decimal), decimal hours, time (decimal), dauer (dezimal), zeit (dezimal), duree (decimale),
    duree (decimal), temps (decimal), duracion (decimal), tiempo (decimal)`),
  minutes: spelled('duration (minutes), minutes, minuten, minutos'),
  dayHours: [],
}
export type HourColumns = ReturnType<typeof columnsOf<HourColumn>>

const SUMMARY = 'This report has no days. Group it by day, or export the detailed report as CSV.'

/** Whether each row has a day, a duration, and a time or a person. A table with due dates or assignees is a plan. */
export function isHours(header: string[]): boolean {
  const fields = guessFields(header, HOUR_SPELLINGS)
  const has = (...any: HourColumn[]) => any.some((field) => fields.includes(field))
  const names = header.map(plainName)
  const isPlan = names.some((name) => IN_PLANS.has(name) && !HOUR_SPELLINGS.startDate.includes(name))
  if (isPlan) return false
  if (hasDays(header) && has('project', 'client', 'user')) return true
  const isSummary =
    names.some((name) => SUMS.has(name)) || (has('duration') && has('project') && fields.every((field) => field !== null))
  if (isSummary && !has('startDate')) throw badRequest(SUMMARY)
  return (
    has('startDate') &&
    has('duration', 'decimal', 'minutes', 'endTime') &&
    has('startTime', 'decimal', 'minutes', 'user', 'email')
  )
}

const IN_PLANS = new Set([...TASK_SPELLINGS.due, ...TASK_SPELLINGS.assignee, ...TASK_SPELLINGS.completed])
const SUMS = new Set(['time (h)', 'time (decimal)', 'zeit (h)', 'zeit (dezimal)', 'temps (h)', 'tiempo (h)'])

/** The user's choice, else by name. */
export function readHourColumns(header: string[], chosen: ColumnField[]): (HourColumn | 'leave')[] {
  const guess = guessFields(header, HOUR_SPELLINGS)
  const names = header.map(plainName)
  const hasUser = names.some((name, at) => guess[at] === 'user' && !PART_OF_NAME.test(name))
  const isWeekly = hasDays(header)
  const fields = guess.map((field, at) => {
    const own = chosen[at]
    if (own === 'leave' || own === 'line') return 'leave'
    if (own !== undefined && isHourColumn(own)) return own
    if (isWeekly && isDayName(header[at] ?? '')) return 'dayHours'
    return field === null || (hasUser && PART_OF_NAME.test(names[at] ?? '')) ? 'leave' : field
  })
  // The other times of a weekly report are sums.
  return fields.includes('dayHours') ? fields.map((field) => (isTime(field) ? 'leave' : field)) : fields
}

const TIMES = ['startDate', 'startTime', 'endDate', 'endTime', 'duration', 'decimal', 'minutes'] as const
const isTime = (field: string) => TIMES.some((time) => time === field)
const PART_OF_NAME = /^(first name|vorname|prenom|last name|nachname)$/
const isHourColumn = (field: ColumnField): field is HourColumn => Object.hasOwn(HOUR_SPELLINGS, field)

const DAY_MS = 86_400_000
const momentOf = (day: string) => Date.parse(day)

const A_MONDAY = '2023-01-02'

/** "monday", "mon", "montag", "lun" …; Monday is 0. */
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
/** A day and a month without a year. */
const SHORT_DATE = /^[\d./\s-]*(?:\p{L}{3,10}\.?)?[\d./\s-]*\)?$/u

function partsOfName(name: string) {
  const [whole = '', word = ''] = WEEKDAY.exec(name) ?? []
  const weekday = WEEKDAYS.get(plainWord(word))
  return { weekday, rest: weekday === undefined ? name : name.slice(whole.length) }
}

/** "Mon", "Tuesday, 03/04", "14/04/2025". */
function isDayName(name: string): boolean {
  if (name.length > COLUMN_NAME_MAX) return false
  const { weekday, rest } = partsOfName(name)
  return (
    readDate(rest, 'day first') !== null ||
    readDate(rest, 'month first') !== null ||
    (weekday !== undefined && SHORT_DATE.test(rest))
  )
}

const hasDays = (header: string[]): boolean => header.filter(isDayName).length > 1

const WEEK_UNKNOWN =
  'This weekly report does not say which week it covers. Keep its original file name, or export the detailed report as CSV.'

const ORDERS: DayOrder[] = ['day first', 'month first']

/** The days that columns are named after; without a year, by the file's name. Throws BAD_REQUEST if that has none either. */
export function daysOf(names: string[], fileName: string): { days: string[]; isGuess: boolean } {
  const range = rangeIn(fileName, names)
  const readings = ORDERS.flatMap((order) => {
    const days = names.flatMap((name) => dayIn(name, order, range) ?? [])
    return days.length < names.length ? [] : { days, span: spanOf(days), isOutside: !days.every((day) => range.includes(day)) }
  })
  // Only the right order makes the days follow one another.
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

/** The days of the week that a file is named after, if any. */
function rangeIn(fileName: string, names: string[]): string[] {
  const [from, to] = fileName.match(DATES) ?? []
  if (from === undefined) return []
  for (const order of ORDERS) {
    const first = readDate(from.replaceAll('_', '-'), order)?.day ?? ''
    const length = to === undefined ? 7 : daysBetween(first, readDate(to.replaceAll('_', '-'), order)?.day ?? '') + 1
    if (!isDay(first) || !(length >= 1 && length <= 7)) continue
    // A single date counts only if the columns begin with it.
    if (to === undefined && weekdayOf(first) !== partsOfName(names[0] ?? '').weekday) continue
    return Array.from({ length }, (_, nth) => addDays(first, nth))
  }
  return []
}

const daysBetween = (from: string, to: string) => (momentOf(to) - momentOf(from)) / DAY_MS
