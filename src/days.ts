const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** "MMM d" as in en-CA. Written out, because the first use of Intl costs a page more than a board's cards. */
export const shortDay = (day: string): string => `${MONTHS[Number(day.slice(5, 7)) - 1]} ${Number(day.slice(8))}`

/** From the first to the last day, inclusive. */
export type Days = { from: string; to: string }

// In UTC, so that daylight saving shifts no day.
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

/** Whether it is a calendar day, YYYY-MM-DD, from the year 1000 on. */
export const isDay = (text: unknown): text is string =>
  typeof text === 'string' &&
  /^[1-9]\d{3}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(utc(text).getTime()) &&
  utcDay(utc(text)) === text

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** 0 is Monday. */
export const weekdayOf = (day: string): number => (utc(day).getUTCDay() + 6) % 7

export const WEEK_STARTS = ['automatic', 'monday', 'sunday', 'saturday'] as const
export type WeekStart = (typeof WEEK_STARTS)[number]
const CHOSEN: Partial<Record<WeekStart, number>> = { monday: 0, saturday: 5, sunday: 6 }

/** From the CLDR. Written out, because not every browser has Intl's `getWeekInfo`. */
const FROM_SUNDAY =
  'AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN JM JP KE KH KR LA MH MM MO MT MX MZ NI NP PA PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW'
const FROM_SATURDAY = 'AE AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY'

/** The weekday on which a user's weeks start: their choice, else by the region of their language, else Monday. */
export const firstWeekday = (chosen: WeekStart = 'automatic', language = ''): number =>
  CHOSEN[chosen] ?? usualIn(regionOf(language))

function usualIn(region: string): number {
  if (FROM_SUNDAY.split(' ').includes(region)) return 6
  return FROM_SATURDAY.split(' ').includes(region) ? 5 : 0
}

function regionOf(language: string): string {
  try {
    return new Intl.Locale(language).maximize().region ?? ''
  } catch {
    return ''
  }
}

/** The first day of a day's week, and all seven; `first` is the weekday on which weeks start. */
export const weekStartOf = (day: string, first: number): string => addDays(day, -((weekdayOf(day) - first + 7) % 7))
export const weekOf = (day: string, first: number): string[] => WEEKDAYS.map((_, nth) => addDays(weekStartOf(day, first), nth))

export const mondayOf = (day: string): string => weekStartOf(day, 0)
