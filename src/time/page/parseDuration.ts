const MINUTES_A_DAY = 1_440

const HOURS_AND_MINUTES = /^(\d{1,4})?:(\d{1,2})$/
const WITH_UNITS = /^(?:(\d{1,4}(?:[.,]\d{1,4})?)\s*(?:h|hrs?|hours?)\s*)?(?:(\d{1,6})\s*(?:m|mins?|minutes?)?)?$/
const HOURS = /^(\d{0,4}[.,]\d{1,4}|\d{1,4})$/

export const NOT_A_DURATION = 'Try 1:30, 1.5, 1h 30m or 90m.'
export const TOO_LONG = 'Enter at most 24 hours. For minutes, write 90m.'

type Parsed = { minutes: number; error?: never } | { error: string; minutes?: never }

/** A day's work, as people write it: "1:30", "1.5", "90m". Empty text is 0 minutes. */
export function parseDuration(typed: string): Parsed {
  const text = typed.trim().toLowerCase()
  const minutes = text === '' ? 0 : minutesIn(text)
  if (minutes === undefined) return { error: NOT_A_DURATION }
  return minutes > MINUTES_A_DAY ? { error: TOO_LONG } : { minutes: Math.round(minutes) }
}

/** A number alone means hours. Undefined if the text is not a duration. */
function minutesIn(text: string): number | undefined {
  if (HOURS.test(text)) return toNumber(text) * 60
  const clock = HOURS_AND_MINUTES.exec(text)
  if (clock) return toNumber(clock[2]) < 60 ? toNumber(clock[1]) * 60 + toNumber(clock[2]) : undefined
  const units = WITH_UNITS.exec(text)
  return units?.[1] === undefined && units?.[2] === undefined ? undefined : toNumber(units[1]) * 60 + toNumber(units[2])
}

const toNumber = (text = '0') => Number(text.replace(',', '.'))

/** From two fields, in minutes. Empty or non-numeric text counts as 0; a negative number is not a duration. */
export function parseHoursAndMinutes(typed: { hours: string; minutes: string }): number {
  const [hours, minutes] = [numberIn(typed.hours), numberIn(typed.minutes)]
  return hours < 0 || minutes < 0 ? 0 : Math.round(hours * 60 + minutes)
}

function numberIn(text: string): number {
  const number = Number(text)
  return Number.isFinite(number) ? number : 0
}

export const hoursAndMinutes = (minutes: number) => ({ hours: String(Math.floor(minutes / 60)), minutes: String(minutes % 60) })
