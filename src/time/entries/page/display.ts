const SECOND = 1000

export function clockText(counted: number): string {
  const seconds = Math.floor(counted / SECOND)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

/** Text that is empty or no number counts as 0; a negative number is no duration. */
export function parseMinutes(typed: { hours: string; minutes: string }): number {
  const [hours, minutes] = [numberIn(typed.hours), numberIn(typed.minutes)]
  return hours < 0 || minutes < 0 ? 0 : Math.round(hours * 60 + minutes)
}

function numberIn(text: string): number {
  const number = Number(text)
  return Number.isFinite(number) ? number : 0
}

export const fieldsOf = (minutes: number) => ({ hours: String(Math.floor(minutes / 60)), minutes: String(minutes % 60) })

/** "MMM d, yyyy h:mm a" in the viewer's time zone. */
export function momentText(iso: string): string {
  const moment = new Date(iso)
  const day = moment.toLocaleDateString('en-US', { dateStyle: 'medium' })
  return `${day} ${moment.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' })}`
}

/** A moment on another day at the same time of day, in the viewer's time zone. */
export function onDay(day: string, time: Date): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date, time.getHours(), time.getMinutes(), time.getSeconds(), time.getMilliseconds())
}

const STRIP = 3

/** Falls back to the last page where the wanted one is gone. */
export function stripPage<T>(entries: T[], wanted: number): { shown: T[]; page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(entries.length / STRIP))
  const page = Math.min(wanted, pages)
  return { shown: entries.slice((page - 1) * STRIP, page * STRIP), page, pages }
}

/** A format is only made where the browser has no Temporal: the first one takes a phone 50 ms. */
export const ownZone = (): string => globalThis.Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone
