import type { ActivityEvent } from '../../activity/schema'
import { SETTABLE, type Task } from '../schema'

type EventOf = (before: Task, after: Task) => ActivityEvent | null

const eventOf: Record<(typeof SETTABLE)[number], EventOf> = {
  title: (before, after) => ({ kind: 'renamed', detail: { from: before.title, to: after.title } }),
  description: () => ({ kind: 'described', detail: {} }),
  status: (before, after) => ({ kind: 'moved', detail: { from: before.status, to: after.status } }),
  dueDate: (before, after) => ({ kind: 'due', detail: { from: before.dueDate, to: after.dueDate } }),
  tags(before, after) {
    const added = after.tags.filter((tag) => !before.tags.includes(tag))
    const removed = before.tags.filter((tag) => !after.tags.includes(tag))
    return added.length + removed.length > 0 ? { kind: 'tagged', detail: { added, removed } } : null
  },
}

/** Moves within a column are not logged. */
export const taskChangeEvents = (before: Task, after: Task): ActivityEvent[] =>
  SETTABLE.flatMap((field) => (Bun.deepEquals(before[field], after[field]) ? [] : (eventOf[field](before, after) ?? [])))
