import { dayAt, utcDay } from '../../days'
import type { Received } from '../../protocol'
import type { Snapshot, Task } from '../../tasks/schema'
import type { UserSummary } from '../../users/schema'
import { elapsedMs, isOverdue, pausedMinutes, roundedMinutes, wholeMinutes } from '../limits'
import type { TimeEntry, TimeEntryChanges, TimeEntryMessage } from '../schema'

export type EntryChanges = Partial<Omit<TimeEntryChanges, 'endTime'>>
export type NewEntryFields = {
  startTime: string
  duration: number
  note: string
  billable: boolean
  timeZone: string
  notify: boolean
}

export type EntryTask = Pick<Task, 'id' | 'boardId' | 'title'>

function newEntry(id: number, task: EntryTask, user: UserSummary, startTime: string) {
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
  task: EntryTask,
  user: UserSummary,
  { startTime, duration, note, billable }: NewEntryFields,
): TimeEntry => ({
  ...newEntry(id, task, user, startTime),
  duration,
  billable,
  note: note.trim() || null,
  status: 'completed',
  endTime: null,
  runningSince: null,
})

export function startedTimer(id: number, task: EntryTask, user: UserSummary, now: number): TimeEntry {
  const startTime = new Date(now).toISOString()
  const running = { status: 'ACTIVE', runningSince: startTime } as const
  return { ...newEntry(id, task, user, startTime), ...running, duration: 0, note: null, endTime: null }
}

const OFFSETS = { '+00:00': 0, '+14:00': 14, '-12:00': -12 }

export const offsetOn = (moment: string, day: string): string | undefined =>
  Object.entries(OFFSETS).find(([, hours]) => utcDay(new Date(Date.parse(moment) + hours * 3_600_000)) === day)?.[0]

/** With an unchanged start, only the time zone is sent: the server ignores a start that is sent again. */
export const startChanges = (entry: TimeEntry, startTime: string, timeZone: string | undefined): EntryChanges =>
  startTime === entry.startTime ? { timeZone } : { startTime, timeZone }

/** `now` is the server's clock. */
export function changedEntry(entry: TimeEntry, changes: EntryChanges, now: number): TimeEntry {
  const { status, startTime = entry.startTime, duration, note, billable } = changes
  const changed: TimeEntry = {
    ...entry,
    startTime,
    day: changes.timeZone ? dayAt(new Date(startTime)) : entry.day,
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

/** An undone stop; if another timer ran meanwhile, it continues from now. */
export const unstoppedEntry = (stopped: TimeEntry, status: 'ACTIVE' | 'PAUSED', from: string | null): TimeEntry => ({
  ...stopped,
  status,
  endTime: null,
  runningSince: status === 'ACTIVE' ? from : null,
  duration: wholeMinutes(stopped.counted),
  revision: stopped.revision + 1,
})

export const confirmedTimer = (entry: TimeEntry, now: number): TimeEntry => ({
  ...entry,
  confirmed: elapsedMs(entry, now),
  revision: entry.revision + 1,
})

/** Sums and exports leave out running timers. */
export const isLogged = ({ status }: Pick<TimeEntry, 'status'>): boolean => status !== 'ACTIVE'

export const loggedMinutes = (entry: Pick<TimeEntry, 'status' | 'duration'>): number => (isLogged(entry) ? entry.duration : 0)

type TimeChange = Received<TimeEntryMessage>
export type Board = Snapshot | undefined

const minutesIn = (board: Board, taskId: number) => board?.tasks.find(({ id }) => id === taskId)?.minutes ?? 0

export const addedMessage = (entry: TimeEntry, board: Board): TimeChange => {
  const { taskId } = entry
  return { type: 'time_entry_added', payload: { taskId, entry, minutes: minutesIn(board, taskId) + loggedMinutes(entry) } }
}

export const updatedMessage = (before: TimeEntry, entry: TimeEntry, board: Board): TimeChange => {
  const { taskId } = entry
  const minutes = minutesIn(board, taskId) + loggedMinutes(entry) - loggedMinutes(before)
  return { type: 'time_entry_updated', payload: { taskId, entry, minutes } }
}

export const deletedMessage = (entry: TimeEntry, board: Board): TimeChange => {
  const { id: entryId, taskId } = entry
  return { type: 'time_entry_deleted', payload: { taskId, entryId, minutes: minutesIn(board, taskId) - loggedMinutes(entry) } }
}

/** A change that starts a timer, after pausing the running one. */
export const withPause = (toPause: TimeEntry | undefined, at: number, change: TimeChange, board: Board): TimeChange[] =>
  toPause ? [updatedMessage(toPause, changedEntry(toPause, { status: 'PAUSED' }, at), board), change] : [change]
