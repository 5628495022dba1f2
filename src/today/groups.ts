import { addDays } from '../days'
import type { Task } from '../tasks/schema'

export const TASKS_SHOWN_MAX = 1_000
export const FACES = 5

export const GROUPS = ['overdue', 'today', 'week', 'later', 'undated'] as const
export type Group = (typeof GROUPS)[number]

/** Done tasks are grouped with today's. This week ends before the same weekday returns. */
export function groupOf({ dueDate, status }: Pick<Task, 'dueDate' | 'status'>, today: string): Group {
  if (status === 'done' || dueDate === today) return 'today'
  if (dueDate === null) return 'undated'
  if (dueDate < today) return 'overdue'
  return dueDate < addDays(today, 7) ? 'week' : 'later'
}
