const MINUTES_A_DAY = 1_440

const HOURS_AND_MINUTES = /^(\d{1,4})?:(\d{1,2})$/
const WITH_UNITS = /^(?:(\d{1,4}(?:[.,]\d{1,4})?)\s*(?:h|hrs?|hours?)\s*)?(?:(\d{1,6})\s*(?:m|mins?|minutes?)?)?$/
const HOURS = /^(\d{0,4}[.,]\d{1,4}|\d{1,4})$/

export const NOT_UNDERSTOOD = 'Not understood: write 1:30, 1.5, 1h 30m or 90m.'
export const TOO_LONG = 'A day has 24 hours.'

const number = (text = '0') => Number(text.replace(',', '.'))

/** A number alone means hours. Undefined where the text is no time. */
function minutesIn(text: string): number | undefined {
  if (HOURS.test(text)) return number(text) * 60
  const clock = HOURS_AND_MINUTES.exec(text)
  if (clock) return number(clock[2]) < 60 ? number(clock[1]) * 60 + number(clock[2]) : undefined
  const units = WITH_UNITS.exec(text)
  return units?.[1] === undefined && units?.[2] === undefined ? undefined : number(units[1]) * 60 + number(units[2])
}

type Typed = { minutes: number; error?: never } | { error: string; minutes?: never }

/** The time of a day as one writes it; nothing is 0. */
export function typedTime(typed: string): Typed {
  const text = typed.trim().toLowerCase()
  const minutes = text === '' ? 0 : minutesIn(text)
  if (minutes === undefined) return { error: NOT_UNDERSTOOD }
  return minutes > MINUTES_A_DAY ? { error: TOO_LONG } : { minutes: Math.round(minutes) }
}
