export const LISTED_AT_ONCE = 1_000

/** A row's moment and id: the list goes on after it even when the row is gone. */
export const cursorAt = (moment: string, id: number) => `${Date.parse(moment)}-${id}`

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** "MMM d" as in en-CA. By hand, since the first use of Intl costs a page more than a board's cards. */
export const shortDay = (day: string): string => `${MONTHS[Number(day.slice(5, 7)) - 1]} ${Number(day.slice(8))}`

/** From the first to the last day, which counts too. */
export type Days = { from: string; to: string }

// In UTC, so that no change of clocks shifts a day.
const utc = (day: string) => new Date(`${day}T00:00:00Z`)
export const utcDay = (moment: Date): string => moment.toISOString().slice(0, 10)

export function addDays(day: string, days: number): string {
  const moment = utc(day)
  moment.setUTCDate(moment.getUTCDate() + days)
  return utcDay(moment)
}

/** The calendar day (YYYY-MM-DD) of a moment in the viewer's time zone. */
export const dayAt = (moment: Date): string =>
  `${moment.getFullYear()}-${String(moment.getMonth() + 1).padStart(2, '0')}-${String(moment.getDate()).padStart(2, '0')}`

/** Whether it is a day of the calendar, YYYY-MM-DD, from the year 1000 on. */
export const isDay = (text: unknown): text is string =>
  typeof text === 'string' &&
  /^[1-9]\d{3}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(utc(text).getTime()) &&
  utcDay(utc(text)) === text

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** 0 is Monday. */
export const weekdayOf = (day: string): number => (utc(day).getUTCDay() + 6) % 7

export const mondayOf = (day: string): string => addDays(day, -weekdayOf(day))

/** The days of a day's week, from Monday to Sunday. */
export const weekOf = (day: string): string[] => WEEKDAYS.map((_, nth) => addDays(mondayOf(day), nth))

/** Created on first use: Intl's formats, for one, would cost every start of the page milliseconds. */
export function lazy<T>(make: () => T): () => T {
  let value: T | undefined
  return () => {
    value ??= make()
    return value
  }
}

export const done = { success: true } as const

export type RefusalBody = {
  message: string
  code: string
  issues?: { path: string; message: string }[]
  requiresUpgrade?: true
  needsConfirmation?: true
  username?: string
  hasPassword?: true
  retryAfter?: number
  current?: object
  requestId?: string
}
