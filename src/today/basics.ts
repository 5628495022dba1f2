import type { Task } from '../tasks/schema'

export const TASKS_SHOWN_MAX = 1_000
export const FACES = 5

export const GROUPS = ['overdue', 'today', 'week', 'later', 'undated'] as const
export type Group = (typeof GROUPS)[number]

const DAY_MS = 24 * 60 * 60_000
const DAYS_A_WEEK = 7

const startOf = (day: string) => Date.parse(`${day}T00:00:00Z`)
const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10)

/** What is done stands with today's. This week are the days until the same weekday comes again. */
export function groupOf({ dueDate, status }: Pick<Task, 'dueDate' | 'status'>, today: string): Group {
  if (status === 'done' || dueDate === today) return 'today'
  if (dueDate === null) return 'undated'
  if (dueDate < today) return 'overdue'
  return dueDate < dayOf(startOf(today) + DAYS_A_WEEK * DAY_MS) ? 'week' : 'later'
}

export const weekday = (day: string): number => new Date(startOf(day)).getUTCDay()

/** The days of a day's week, from Monday to Sunday. */
export function weekOf(day: string): string[] {
  const monday = startOf(day) - ((weekday(day) + DAYS_A_WEEK - 1) % DAYS_A_WEEK) * DAY_MS
  return Array.from({ length: DAYS_A_WEEK }, (_, nth) => dayOf(monday + nth * DAY_MS))
}
