import type { BoardChange, ServerMessage } from '../../../protocol'
import { withPerson } from '../../../users/schema'
import type { TimeEntry, Timer } from '../../entries/schema'
import type { Report } from '../../report/schema'
import { isForeseen, isLogged, loggedMinutes } from './predicted'

const isEarlier = (a: TimeEntry, b: TimeEntry) => (a.startTime === b.startTime ? a.id < b.id : a.startTime < b.startTime)

/** Whether what was foreseen has become a stored entry already: one has a single running timer, and times differ. */
const became = (foreseen: TimeEntry, stored: TimeEntry) =>
  stored.userId === foreseen.userId &&
  (foreseen.status === 'ACTIVE' ? stored.status === 'ACTIVE' : stored.startTime === foreseen.startTime)

/** A task's time entries, the latest first, after one change of its board. Pure and idempotent. */
export function applyTimeChange(taskId: number, entries: TimeEntry[], change: BoardChange): TimeEntry[] {
  if (change.type === 'user_profile_updated') return withPerson(entries, change.payload.user)
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

/** The newest entries of a task; `more` where there are others before them. */
export type Part = { entries: TimeEntry[]; more: boolean }

/** As above, for the newest entries: what belongs before them is read together with what is around it. */
export function applyPartChange(taskId: number, part: Part, change: BoardChange): Part {
  const entries = applyTimeChange(taskId, part.entries, change)
  const last = part.entries.at(-1)
  return { ...part, entries: part.more && last ? entries.filter((entry) => !isEarlier(entry, last)) : entries }
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
    const exportable = report.exportable + Number(isLogged(entry)) - Number(isLogged(before))
    // What it comes to is read again with the sums.
    const rows = report.rows.map((row) => (row.id === entry.id ? { ...entry, cents: null } : row))
    return { ...report, minutes, exportable, rows }
  }
  if (change.type === 'time_entry_deleted') {
    const gone = report.rows.find(({ id }) => id === change.payload.entryId)
    if (!gone) return report
    return {
      ...report,
      entries: report.entries - 1,
      exportable: report.exportable - Number(isLogged(gone)),
      minutes: report.minutes - loggedMinutes(gone),
      rows: report.rows.filter((row) => row !== gone),
    }
  }
  return report
}

/**
 * What changes the sums of a board's time: entries, tasks that take theirs along or bring them back, people and rates. So may
 * anything have, that was missed while the line was lost: rates have no part in the board's version.
 */
const TELLING = /^time_entry_|^(task_deleted|new_task|board_member_added|board_member_removed|rate_changed|joined_board)$/

/** Whether a board's time may be another one after a message: of a task that is changed, only its title is told there. */
export function concernsReport(message: ServerMessage, boardId: number, report: Report | undefined): boolean {
  if (!('boardId' in message.payload) || message.payload.boardId !== boardId) return false
  if (message.type !== 'task_updated') return TELLING.test(message.type)
  const { id, title } = message.payload.task
  const named = [...(report?.byTask ?? []), ...(report?.rows ?? []).map(({ taskId, task }) => ({ taskId, title: task }))]
  return named.some((known) => known.taskId === id && known.title !== title)
}
