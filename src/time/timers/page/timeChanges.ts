import type { Received } from '../../../protocol'
import type { Snapshot } from '../../../tasks/schema'
import { changedEntry, loggedMinutes } from '../../entries/page/predict'
import type { TimeEntry, TimeEntryMessage } from '../../entries/schema'

type TimeChange = Received<TimeEntryMessage>
export type Board = Snapshot | undefined

const minutesIn = (board: Board, taskId: number) => board?.tasks.find(({ id }) => id === taskId)?.minutes ?? 0

export const added = (entry: TimeEntry, board: Board): TimeChange => {
  const { taskId } = entry
  return { type: 'time_entry_added', payload: { taskId, entry, minutes: minutesIn(board, taskId) + loggedMinutes(entry) } }
}

export const updated = (before: TimeEntry, entry: TimeEntry, board: Board): TimeChange => {
  const { taskId } = entry
  const minutes = minutesIn(board, taskId) + loggedMinutes(entry) - loggedMinutes(before)
  return { type: 'time_entry_updated', payload: { taskId, entry, minutes } }
}

export const deleted = (entry: TimeEntry, board: Board): TimeChange => {
  const { id: entryId, taskId } = entry
  return { type: 'time_entry_deleted', payload: { taskId, entryId, minutes: minutesIn(board, taskId) - loggedMinutes(entry) } }
}

/** `rests` is the timer that ran until then. */
export const afterPause = (rests: TimeEntry | undefined, at: number, change: TimeChange, board: Board): TimeChange[] =>
  rests ? [updated(rests, changedEntry(rests, { status: 'PAUSED' }, at), board), change] : [change]
