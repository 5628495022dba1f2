import { dayAt, shortDay } from './days'
import { lazy } from './lazy'

/** With thousands separators, as in en-CA. */
export const numberText = (number: number): string => String(number).replace(/\B(?=(\d{3})+$)/g, ',')

/** "1 task", "1,200 tasks" */
export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${numberText(count)} ${count === 1 ? one : many}`

/** "A, B and C" */
export const listText = (items: string[]): string => new Intl.ListFormat('en-CA').format(items)

/** Text as searches compare it. Not in the locale's lower case: in Turkish, "I" would not find "i". */
export const foldCase = (text: string): string => text.normalize('NFC').toLowerCase()

export function dayName(day: string, now = new Date()): string {
  if (day === dayAt(now)) return 'Today'
  if (day === dayAt(new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1))) return 'Yesterday'
  return calendarDay(day, now)
}

/** A short calendar day: "Nov 18", or "Nov 18, 2025" in another year. */
export function calendarDay(day: string, now = new Date()): string {
  const year = day.slice(0, 4)
  return year === String(now.getFullYear()) ? shortDay(day) : `${shortDay(day)}, ${year}`
}

const clockFormat = lazy(() => new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }))

export const timeOfDay = (moment: string): string => clockFormat().format(new Date(moment))

const momentFormat = lazy(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }))

/** A moment (ISO 8601) in the viewer's time zone, as their browser writes it. */
export const dateTimeText = (iso: string): string => momentFormat().format(new Date(iso))

/** "2h 5m", "0h 45m". Sheets have h:mm. */
export const durationText = (minutes: number): string => `${numberText(Math.floor(minutes / 60))}h ${minutes % 60}m`

/** Spaces, controls, and what Unicode never draws; U+2800 is a blank that counts as a symbol. */
const INVISIBLE_ONLY = /^[\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u
export const isVisible = (text: string): boolean => !INVISIBLE_ONLY.test(text)

/** Characters that change the direction of surrounding text: names appear within other sentences. */
export const withoutDirection = (text: string): string => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
