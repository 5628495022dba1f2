/** A calendar day, and the moment at which it began. */
export type Day = { day: string; since: Date }

/** No day is longer, nor is the way to it from another day's clock. */
const LONGEST_MS = 26 * 60 * 60_000

/** The day of a moment in a time zone. Midnight is looked for, because where clocks change it may be missing, or come twice. */
export function dayAround(now: Date, timeZone: string): Day {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const day = format.format(now)
  let [before, within] = [now.getTime() - LONGEST_MS, now.getTime()]
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2)
    if (format.format(middle) === day) within = middle
    else before = middle
  }
  return { day, since: new Date(within) }
}
