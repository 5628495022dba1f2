import { dayAt, lazy, numberText } from '../../basics'
import { shortDay } from '../../schema'
import type { Activity } from '../schema'

export type Line = readonly [Activity, ...Activity[]]

/** Changes of one user, kind and task that are so close become one line. In milliseconds. */
const TOGETHER_WITHIN = 5 * 60_000

/** Groups activities, newest first, into lines; other changes of the same task may lie in between. */
export function linesOf(activities: readonly Activity[]): Line[] {
  const lines: Line[] = []
  for (const one of activities) {
    const before = lines.findLastIndex(([newest]) => !isBySameHand(newest, one))
    const at = lines.findIndex(([newest], n) => n > before && belongTogether(newest, one))
    const line = lines[at]
    if (line) lines[at] = [...line, one]
    else lines.push([one])
  }
  return lines
}

const isBySameHand = (a: Activity, b: Activity) => a.user.id === b.user.id && a.taskId === b.taskId

const belongTogether = (a: Activity, b: Activity) =>
  a.kind === b.kind && didOf(a) === didOf(b) && Date.parse(a.createdAt) - Date.parse(b.createdAt) <= TOGETHER_WITHIN

const didOf = ({ detail }: Activity) => ('did' in detail ? detail.did : undefined)

export function groupByDay(lines: readonly Line[]): { day: string; lines: Line[] }[] {
  const days: { day: string; lines: Line[] }[] = []
  for (const line of lines) {
    const day = dayAt(new Date(line[0].createdAt))
    const last = days.at(-1)
    if (last?.day === day) last.lines.push(line)
    else days.push({ day, lines: [line] })
  }
  return days
}

export function dayName(day: string, now = new Date()): string {
  if (day === dayAt(now)) return 'Today'
  if (day === dayAt(new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1))) return 'Yesterday'
  return calendarDay(day, now)
}

/** A calendar day, short: "Nov 18", and of another year "Nov 18, 2025". */
export function calendarDay(day: string, now = new Date()): string {
  const year = day.slice(0, 4)
  return year === String(now.getFullYear()) ? shortDay(day) : `${shortDay(day)}, ${year}`
}

const clockFormat = lazy(() => new Intl.DateTimeFormat('en-CA', { timeStyle: 'short' }))

export const timeOfDay = (moment: string): string => clockFormat().format(new Date(moment))

export function tagsOfLine(line: Line): { added: string[]; removed: string[] } {
  const net = new Map<string, number>()
  const count = (tags: string[], by: number) => {
    for (const tag of tags) net.set(tag, (net.get(tag) ?? 0) + by)
  }
  for (const { kind, detail } of line) {
    if (kind !== 'tagged') continue
    count(detail.added, 1)
    count(detail.removed, -1)
  }
  const where = (by: number) => [...net].filter(([, n]) => n === by).map(([tag]) => tag)
  return { added: where(1), removed: where(-1) }
}

/** Minutes as one says them: "45m", "2h", "2h 5m". */
export function shortDuration(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  return [hours > 0 && `${numberText(hours)}h`, (minutes % 60 > 0 || hours === 0) && `${minutes % 60}m`].filter(Boolean).join(' ')
}
