import type { Task } from '../tasks/schema'

export const TASKS_SHOWN_MAX = 1_000
export const FACES = 5

export const GROUPS = ['overdue', 'today', 'week', 'later', 'undated'] as const
export type Group = (typeof GROUPS)[number]

/** What is done stands with today's. */
export function groupOf({ dueDate, status }: Pick<Task, 'dueDate' | 'status'>, today: string): Group {
  if (status === 'done' || dueDate === today) return 'today'
  if (dueDate === null) return 'undated'
  if (dueDate < today) return 'overdue'
  return dueDate <= (weekOf(today).at(-1) ?? today) ? 'week' : 'later'
}

const DAY_MS = 24 * 60 * 60_000
const DAYS_A_WEEK = 7

/** The days of a day's week, from Monday to Sunday. */
export function weekOf(day: string): string[] {
  const at = Date.parse(`${day}T00:00:00Z`)
  const monday = at - ((new Date(at).getUTCDay() + DAYS_A_WEEK - 1) % DAYS_A_WEEK) * DAY_MS
  return Array.from({ length: DAYS_A_WEEK }, (_, nth) => new Date(monday + nth * DAY_MS).toISOString().slice(0, 10))
}
