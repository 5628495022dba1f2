import type { ActivityEvent, NewActivity } from '../schema'

/** Events of a task, to be logged with the change that they tell of. */
export const taskEvents = ({ id, title }: { id: number; title: string }, ...events: ActivityEvent[]): NewActivity[] =>
  events.map((event) => ({ ...event, taskId: id, taskTitle: title }))

/** Events of a board itself. */
export const boardEvents = (...events: ActivityEvent[]): NewActivity[] =>
  events.map((event) => ({ ...event, taskId: null, taskTitle: null }))
