import { useViewer } from '../../../auth/page/cache'
import type { Received } from '../../../protocol'
import type { Snapshot, Task } from '../../../tasks/schema'
import { summaryOf, type UserSummary } from '../../../users/schema'
import type { Call } from '../../../web/calls'
import { changeKind, type Made } from '../../../web/live/changeKinds'
import { useChange } from '../../../web/live/predictions'
import { isOvertaken, upon } from '../../../web/live/upon'
import { reasonOr } from '../../../web/refusal'
import type { ToastText } from '../../../web/toast'
import { entriesApi } from '../../entries/page/api'
import {
  addedEntry,
  changedEntry,
  confirmedTimer,
  type EntryChanges,
  loggedMinutes,
  type NewEntryFields,
  type OfTask,
  startedTimer,
} from '../../entries/page/predict'
import type { TimeEntry, TimeEntryMessage } from '../../entries/schema'
import { timersApi } from './api'
import { readTimersAgain, runningTimer } from './useTimers'

type TimeChange = Received<TimeEntryMessage>
type Board = Snapshot | undefined

const minutesIn = (board: Board, taskId: number) => board?.tasks.find(({ id }) => id === taskId)?.minutes ?? 0

const added = (entry: TimeEntry, board: Board): TimeChange => {
  const { taskId } = entry
  return { type: 'time_entry_added', payload: { taskId, entry, minutes: minutesIn(board, taskId) + loggedMinutes(entry) } }
}

const updated = (before: TimeEntry, entry: TimeEntry, board: Board): TimeChange => {
  const { taskId } = entry
  const minutes = minutesIn(board, taskId) + loggedMinutes(entry) - loggedMinutes(before)
  return { type: 'time_entry_updated', payload: { taskId, entry, minutes } }
}

const deleted = (entry: TimeEntry, board: Board): TimeChange => {
  const { id: entryId, taskId } = entry
  return { type: 'time_entry_deleted', payload: { taskId, entryId, minutes: minutesIn(board, taskId) - loggedMinutes(entry) } }
}

/** `rests` is the timer that ran until then. */
const afterPause = (rests: TimeEntry | undefined, at: number, change: TimeChange, board: Board): TimeChange[] =>
  rests ? [updated(rests, changedEntry(rests, { status: 'PAUSED' }, at), board), change] : [change]

/** The time of the click counts, however late it is sent. */
const momentOf = ({ at, isTimed }: Made) => (isTimed ? { at: new Date(at).toISOString() } : {})

const addedText = ({ duration, task }: TimeEntry): ToastText => ({
  title: 'Time entry added',
  description: `Added ${duration} ${duration === 1 ? 'minute' : 'minutes'} to "${task}"`,
})
const notAdded = (error: unknown) => ({ title: 'Error', description: reasonOr(error, 'Failed to add time entry.') })
const CHANGED_ELSEWHERE = 'This was changed in another window at the same time. Have a look, and try again.'
const notUpdated = (error: unknown) => ({
  title: 'Failed to update time entry',
  description: isOvertaken(error) ? CHANGED_ELSEWHERE : reasonOr(error, 'An unexpected error occurred'),
})

const add = changeKind({
  name: 'time.add',
  waits: true,
  creates: { type: 'time_entry_added', as: 'entry' },
  send: ({ task, given }: { task: Task; user: UserSummary; given: NewEntryFields }, call) =>
    entriesApi.create.mutate({ taskId: task.id, ...given }, call),
  predict: ({ task, user, given }, { id }, board: Board) => [added(addedEntry(id, task, user, given), board)],
  textOf: ({ given }) => given.note,
  texts: { success: addedText, failure: notAdded },
})

export function useAddTime(boardId: number) {
  const user = summaryOf(useViewer())
  const { run, isPending } = useChange(boardId, add)
  return { run: (input: { task: Task; given: NewEntryFields }) => run({ ...input, user }), isPending }
}

const start = changeKind({
  name: 'time.start',
  creates: { type: 'time_entry_added', as: 'entry' },
  send: ({ task, timeZone }: { task: OfTask; user: UserSummary; timeZone: string; rests: TimeEntry | undefined }, call, made) =>
    entriesApi.create.mutate({ taskId: task.id, timeZone, status: 'ACTIVE', ...momentOf(made) }, call),
  needs: (input) => ({ ...input, rests: undefined }),
  predict: ({ task, user, rests }, { id, at }, board: Board) =>
    afterPause(rests, at, added(startedTimer(id, task, user, at), board), board),
  texts: { failure: notAdded },
})

export function useStartTimer(boardId: number) {
  const user = summaryOf(useViewer())
  const { run } = useChange(boardId, start)
  return { run: (input: { task: OfTask; timeZone: string }) => run({ ...input, user, rests: runningTimer(user.id) }) }
}

type EntryChange = { entry: TimeEntry; changes: EntryChanges; rests: TimeEntry | undefined }

const BASE = ['status', 'duration', 'note', 'startTime'] as const

async function sendChange({ entry, changes }: EntryChange, call: Call, made: Made): Promise<TimeEntry> {
  const moment = changes.status ? momentOf(made) : {}
  try {
    return await upon(entry, BASE, call, made, () => entriesApi.update.mutate({ entryId: entry.id, ...changes, ...moment }, call))
  } catch (error) {
    readTimersAgain()
    throw error
  }
}

const entryChange = (name: string, more: { waits?: true; success?: ToastText | ((entry: TimeEntry) => ToastText) }) =>
  changeKind({
    name,
    ...(more.waits && { waits: true }),
    send: sendChange,
    needs: (input) => ({ ...input, rests: undefined }),
    predict: ({ entry, changes, rests }, { at }, board: Board) =>
      afterPause(rests, at, updated(entry, changedEntry(entry, changes, at), board), board),
    textOf: ({ changes }) => changes.note ?? '',
    texts: { ...(more.success && { success: more.success }), failure: notUpdated },
  })

const edit = entryChange('time.edit', {
  success: { title: 'Time entry updated', description: 'The time entry has been updated successfully' },
})
const switchTimer = entryChange('time.switch', {})
/** Waits, for after a refusal the dialog has to be there with what was typed. */
const stop = entryChange('time.stop', { waits: true, success: addedText })

function useEntryChange(boardId: number, kind: typeof edit) {
  const viewer = useViewer()
  const { run, isPending } = useChange(boardId, kind)
  return {
    run: ({ entry, changes }: Omit<EntryChange, 'rests'>) =>
      run({ entry, changes, rests: changes.status === 'ACTIVE' ? runningTimer(viewer.id, entry.id) : undefined }),
    isPending,
  }
}

export const useEditTime = (boardId: number) => useEntryChange(boardId, edit)
export const useSwitchTimer = (boardId: number) => useEntryChange(boardId, switchTimer)
export const useStopTimer = (boardId: number) => useEntryChange(boardId, stop)

const confirm = changeKind({
  name: 'time.confirm',
  send: (entry: TimeEntry, call) => timersApi.confirm.mutate({ entryId: entry.id }, call),
  predict: (entry, { at }, board: Board) => [updated(entry, confirmedTimer(entry, at), board)],
  texts: { failure: notUpdated },
})

export const useConfirmTimer = (boardId: number) => useChange(boardId, confirm)

const remove = changeKind({
  name: 'time.delete',
  send: (entry: TimeEntry, call) => entriesApi.delete.mutate({ entryId: entry.id }, call),
  predict: (entry, _made, board: Board) => [deleted(entry, board)],
  texts: {
    success: { title: 'Time entry deleted' },
    failure: (error) => ({ title: 'Failed to delete time entry', description: reasonOr(error, 'An unexpected error occurred') }),
  },
})

export const useDeleteTime = (boardId: number) => useChange(boardId, remove)
