export const utc = (day: string) => new Date(`${day}T00:00:00Z`)
export const dayIn = (moment: Date) => moment.toISOString().slice(0, 10)

/** In UTC, so that no change of clocks shifts the day. */
export function addDays(day: string, days: number): string {
  const moment = utc(day)
  moment.setUTCDate(moment.getUTCDate() + days)
  return dayIn(moment)
}
