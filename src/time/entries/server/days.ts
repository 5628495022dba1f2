/** The calendar day of a moment in a time zone, by its IANA name or its offset (+05:30). */
export const dayIn = (moment: Date, timeZone: string): string =>
  // Canada writes its numbers as ISO 8601 does.
  moment.toLocaleDateString('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })

/**
 * Where the work of an entry is done: what was said, else the offset with which its start is written. Undefined where
 * neither says anything: Z is how machines write moments, wherever they are.
 */
export const zoneOf = ({ timeZone, startTime }: { timeZone?: string | undefined; startTime?: string | undefined }) =>
  timeZone ?? /[+-]\d\d:\d\d$/.exec(startTime ?? '')?.[0]
