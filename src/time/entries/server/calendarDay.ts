/** The calendar day (YYYY-MM-DD) of a moment in a time zone, by its IANA name or its offset (+05:30). */
export const dayIn = (moment: Date, timeZone: string): string =>
  moment.toLocaleDateString('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })

/** The given time zone, else the offset of the start. Z counts as none: machines write it wherever they are. */
export const timeZoneOf = ({ timeZone, startTime }: { timeZone?: string | undefined; startTime?: string | undefined }) =>
  timeZone ?? /[+-]\d\d:\d\d$/.exec(startTime ?? '')?.[0]
