import { dayAt } from '../../../tasks/page/display'
import type { Task } from '../../../tasks/schema'
import type { UserSummary } from '../../../users/schema'
import { elapsedMs, isOverdue, pausedMinutes, roundedMinutes } from '../../timers/schema'
import type { TimeEntry, TimeEntryChanges } from '../schema'

export type EntryChanges = Partial<Omit<TimeEntryChanges, 'endTime'>>
export type NewEntryFields = {
  startTime: string
  duration: number
  note: string
  billable: boolean
  timeZone: string
  notify: boolean
}

/** What an entry says of its task. */
export type OfTask = Pick<Task, 'id' | 'boardId' | 'title'>

function begun(id: number, task: OfTask, user: UserSummary, startTime: string) {
  return {
    id,
    taskId: task.id,
    boardId: task.boardId,
    userId: user.id,
    task: task.title,
    user,
    startTime,
    day: dayAt(new Date(startTime)),
    counted: 0,
    confirmed: 0,
    billable: true,
    createdAt: startTime,
    revision: 1,
  }
}

export const addedEntry = (
  id: number,
  task: Task,
  user: UserSummary,
  { startTime, duration, note, billable }: NewEntryFields,
): TimeEntry => ({
  ...begun(id, task, user, startTime),
  duration,
  billable,
  note: note.trim() || null,
  status: 'completed',
  endTime: null,
  runningSince: null,
})

export function startedTimer(id: number, task: OfTask, user: UserSummary, now: number): TimeEntry {
  const startTime = new Date(now).toISOString()
  const running = { status: 'ACTIVE', runningSince: startTime } as const
  return { ...begun(id, task, user, startTime), ...running, duration: 0, note: null, endTime: null }
}

/** `now` is the server's clock. */
export function changedEntry(entry: TimeEntry, changes: EntryChanges, now: number): TimeEntry {
  const { status, startTime = entry.startTime, duration, note, billable } = changes
  const changed: TimeEntry = {
    ...entry,
    startTime,
    day: changes.startTime ? dayAt(new Date(changes.startTime)) : entry.day,
    duration: duration ?? entry.duration,
    note: note === undefined ? entry.note : note?.trim() || null,
    billable: billable ?? entry.billable,
    revision: entry.revision + 1,
  }
  if (!status || status === entry.status) return changed
  const counted = elapsedMs(entry, now)
  const moment = new Date(now).toISOString()
  const timer = { ...changed, status, counted, confirmed: isOverdue(entry, now) ? entry.confirmed : counted }
  if (status === 'ACTIVE') return { ...timer, runningSince: moment }
  if (status === 'PAUSED') return { ...timer, runningSince: null, duration: pausedMinutes(counted, timer.confirmed) }
  return { ...timer, runningSince: null, endTime: moment, duration: duration ?? roundedMinutes(counted) }
}

export const confirmedTimer = (entry: TimeEntry, now: number): TimeEntry => ({
  ...entry,
  confirmed: elapsedMs(entry, now),
  revision: entry.revision + 1,
})

/** Sums and exports leave out running timers. */
export const isLogged = ({ status }: Pick<TimeEntry, 'status'>): boolean => status !== 'ACTIVE'

export const loggedMinutes = (entry: Pick<TimeEntry, 'status' | 'duration'>): number => (isLogged(entry) ? entry.duration : 0)
