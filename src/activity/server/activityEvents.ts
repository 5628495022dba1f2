import type { ActivityEvent, NewActivity } from '../schema'

export const taskEvents = ({ id, title }: { id: number; title: string }, ...events: ActivityEvent[]): NewActivity[] =>
  events.map((event) => ({ ...event, taskId: id, taskTitle: title }))

export const boardEvents = (...events: ActivityEvent[]): NewActivity[] =>
  events.map((event) => ({ ...event, taskId: null, taskTitle: null }))
