import type { BoardChange } from '../live/messages'
import { isForeseen, loggedMinutes } from './foreseen'
import type { Report, TimeEntry, Timer } from './inputs'

const isEarlier = (a: TimeEntry, b: TimeEntry) => (a.startTime === b.startTime ? a.id < b.id : a.startTime < b.startTime)

/** Whether what was foreseen has become a stored entry already: one has a single running timer, and times differ. */
const became = (foreseen: TimeEntry, stored: TimeEntry) =>
  stored.userId === foreseen.userId &&
  (foreseen.status === 'ACTIVE' ? stored.status === 'ACTIVE' : stored.startTime === foreseen.startTime)

/** A task's time entries, the latest first, after one change of its board. Pure and idempotent. */
export function applyTimeChange(taskId: number, entries: TimeEntry[], change: BoardChange): TimeEntry[] {
  if (!('taskId' in change.payload) || change.payload.taskId !== taskId) return entries
  switch (change.type) {
    case 'time_entry_added':
    case 'time_entry_updated': {
      const { entry } = change.payload
      const others = entries.filter(({ id }) => id !== entry.id)
      if (isForeseen(entry) && others.some((other) => became(entry, other))) return others
      const next = others.findIndex((other) => isEarlier(other, entry))
      return others.toSpliced(next < 0 ? others.length : next, 0, entry)
    }
    case 'time_entry_deleted': {
      const { entryId } = change.payload
      return entries.filter(({ id }) => id !== entryId)
    }
    default:
      return entries
  }
}

/** The name of a board, where it is known. */
export type NameOf = (boardId: number) => string | undefined

/** Someone's timers after one change of a board, which may tell of a timer on another one. Pure and idempotent. */
export function applyTimerChange(timers: Timer[], change: BoardChange, userId: number, nameOf: NameOf): Timer[] {
  switch (change.type) {
    case 'time_entry_added':
    case 'time_entry_updated': {
      const { entry } = change.payload
      if (entry.userId !== userId) return timers
      const others = timers.filter(({ id }) => id !== entry.id)
      // What is only foreseen makes room for what it became.
      const isThere = isForeseen(entry) && others.some(({ status, taskId }) => status === 'ACTIVE' && taskId === entry.taskId)
      if (entry.status === 'completed' || isThere) return others
      const board = nameOf(entry.boardId) ?? timers.find(({ boardId }) => boardId === entry.boardId)?.board ?? ''
      return [...others, { ...entry, board }]
    }
    case 'time_entry_deleted':
      return timers.filter(({ id }) => id !== change.payload.entryId)
    case 'task_updated': {
      const { id, title } = change.payload.task
      return timers.map((timer) => (timer.taskId === id ? { ...timer, task: title } : timer))
    }
    default:
      return timers
  }
}

/**
 * A page of a board's time after one change. What a change of others' does to pages and shares only the database knows:
 * the report is read again after it; here is what is seen at once. Pure and idempotent.
 */
export function applyReportChange(report: Report, change: BoardChange): Report {
  if (change.type === 'time_entry_updated') {
    const { entry } = change.payload
    const before = report.rows.find(({ id }) => id === entry.id)
    if (!before) return report
    const minutes = report.minutes + loggedMinutes(entry) - loggedMinutes(before)
    return { ...report, minutes, rows: report.rows.map((row) => (row.id === entry.id ? entry : row)) }
  }
  if (change.type === 'time_entry_deleted') {
    const gone = report.rows.find(({ id }) => id === change.payload.entryId)
    if (!gone) return report
    return {
      ...report,
      entries: report.entries - 1,
      minutes: report.minutes - loggedMinutes(gone),
      rows: report.rows.filter((row) => row !== gone),
    }
  }
  return report
}
