import { useViewer } from '../../../auth/page/cache'
import type { Received } from '../../../protocol'
import type { Snapshot, Task } from '../../../tasks/schema'
import { useBoardMutation } from '../../../web/live/optimisticMutation'
import { refusalOf } from '../../../web/refusal'
import type { ToastText } from '../../../web/toast'
import type { Stamp } from '../../../web/trpc'
import { entriesApi } from '../../entries/page/api'
import {
  addedEntry,
  changedEntry,
  confirmedTimer,
  type EntryChanges,
  loggedMinutes,
  type NewEntryFields,
  startedTimer,
} from '../../entries/page/predict'
import { serverNow } from '../../entries/page/useNow'
import type { TimeEntry, TimeEntryMessage } from '../../entries/schema'
import { timersApi } from './api'
import { applyAnswerToTimers, readTimersAgain, runningTimer } from './useTimers'

type TimeChange = Received<TimeEntryMessage>

const minutesIn = (board: Snapshot | undefined, taskId: number) => board?.tasks.find(({ id }) => id === taskId)?.minutes ?? 0

const added = (entry: TimeEntry, board?: Snapshot): TimeChange => {
  const { taskId } = entry
  return { type: 'time_entry_added', payload: { taskId, entry, minutes: minutesIn(board, taskId) + loggedMinutes(entry) } }
}

const updated = (before: TimeEntry, entry: TimeEntry, board?: Snapshot): TimeChange => {
  const { taskId } = entry
  const minutes = minutesIn(board, taskId) + loggedMinutes(entry) - loggedMinutes(before)
  return { type: 'time_entry_updated', payload: { taskId, entry, minutes } }
}

const deleted = (entry: TimeEntry, board?: Snapshot): TimeChange => {
  const { id: entryId, taskId } = entry
  return { type: 'time_entry_deleted', payload: { taskId, entryId, minutes: minutesIn(board, taskId) - loggedMinutes(entry) } }
}

function afterPause(rests: TimeEntry | undefined, change: TimeChange, board?: Snapshot): TimeChange[] {
  return rests ? [updated(rests, changedEntry(rests, { status: 'PAUSED' }, serverNow()), board), change] : [change]
}

/** `rests` is the timer that ran until then. */
type Answer = { entry: TimeEntry; rests?: TimeEntry | undefined }

const textOf = (error: unknown, otherwise: string) => refusalOf(error)?.message || otherwise
const addedText = ({ duration, task }: TimeEntry): ToastText => ({
  title: 'Time entry added',
  description: `Added ${duration} ${duration === 1 ? 'minute' : 'minutes'} to "${task}"`,
})
const notAdded = (error: unknown) => ({ title: 'Error', description: textOf(error, 'Failed to add time entry.') })
const notUpdated = (error: unknown) => ({
  title: 'Failed to update time entry',
  description: textOf(error, 'An unexpected error occurred'),
})

export function useAddTime(boardId: number) {
  const viewer = useViewer()
  return useBoardMutation(boardId, {
    send: ({ task, given }: { task: Task; given: NewEntryFields }, stamp) =>
      entriesApi.create.mutate({ taskId: task.id, ...given }, stamp),
    predict: ({ task, given }, board: Snapshot | undefined) => [added(addedEntry(task, viewer, given), board)],
    fromAnswer: (entry, _input, board: Snapshot | undefined) => [added(entry, board)],
    // The answer of `send` above.
    meta: { success: (entry) => addedText(entry as TimeEntry), failure: notAdded },
  })
}

export function useStartTimer(boardId: number) {
  const viewer = useViewer()
  return useBoardMutation(boardId, {
    send: async ({ task, timeZone }: { task: Task; timeZone: string }, stamp) => {
      const entry = await entriesApi.create.mutate({ taskId: task.id, timeZone, status: 'ACTIVE' }, stamp)
      const rests = runningTimer(entry.id)
      applyAnswerToTimers(boardId, stamp.context.version, afterPause(rests, added(entry)), viewer.id)
      return { entry, rests }
    },
    predict: ({ task }, board: Snapshot | undefined) =>
      afterPause(runningTimer(), added(startedTimer(task, viewer, serverNow()), board), board),
    fromAnswer: ({ entry, rests }: Answer, _input, board: Snapshot | undefined) => afterPause(rests, added(entry, board), board),
    meta: { failure: notAdded },
  })
}

type Change = { entry: TimeEntry; changes: EntryChanges }

type Words = { success?: ToastText | ((answer: unknown) => ToastText) }

function useChange(boardId: number, words: Words, predictable = true) {
  const viewer = useViewer()
  const restedBy = ({ entry, changes }: Change) => (changes.status === 'ACTIVE' ? runningTimer(entry.id) : undefined)
  const changesOf = (before: TimeEntry, { entry, rests }: Answer, board?: Snapshot) =>
    afterPause(rests, updated(before, entry, board), board)
  const predict = (change: Change, board?: Snapshot) => {
    const { entry, changes } = change
    return predictable
      ? changesOf(entry, { entry: changedEntry(entry, changes, serverNow()), rests: restedBy(change) }, board)
      : []
  }
  return useBoardMutation(boardId, {
    send: (change: Change, stamp) => {
      const { entry, changes } = change
      const call = entriesApi.update
        .mutate({ entryId: entry.id, ...changes }, stamp)
        .then((answer): Answer => ({ entry: answer, rests: restedBy(change) }))
      return withTimers(boardId, viewer.id, stamp, call, (answer) => changesOf(entry, answer))
    },
    predict,
    fromAnswer: (answer, { entry }, board: Snapshot | undefined) => changesOf(entry, answer, board),
    meta: { ...words, failure: notUpdated },
  })
}

async function withTimers<Answer>(
  boardId: number,
  userId: number,
  { context }: Stamp,
  call: Promise<Answer>,
  changes: (answer: Answer) => TimeChange[],
): Promise<Answer> {
  try {
    const answer = await call
    applyAnswerToTimers(boardId, context.version, changes(answer), userId)
    return answer
  } catch (error) {
    readTimersAgain()
    throw error
  }
}

export const useEditTime = (boardId: number) =>
  useChange(boardId, {
    success: { title: 'Time entry updated', description: 'The time entry has been updated successfully' },
  })

export const useSwitchTimer = (boardId: number) => useChange(boardId, {})

/** Not predicted, for after a refusal the dialog has to be there with what was typed. */
export const useStopTimer = (boardId: number) =>
  useChange(boardId, { success: (answer) => addedText((answer as Answer).entry) }, false)

/** Confirms that the time counted so far was work. */
export function useConfirmTimer(boardId: number) {
  const viewer = useViewer()
  const confirmed = (entry: TimeEntry, board?: Snapshot) => [updated(entry, confirmedTimer(entry, serverNow()), board)]
  return useBoardMutation(boardId, {
    send: (entry: TimeEntry, stamp) =>
      withTimers(boardId, viewer.id, stamp, timersApi.confirm.mutate({ entryId: entry.id }, stamp), (answer) => [
        updated(entry, answer),
      ]),
    predict: confirmed,
    fromAnswer: (answer, entry, board: Snapshot | undefined) => [updated(entry, answer, board)],
    meta: { failure: notUpdated },
  })
}

export function useDeleteTime(boardId: number) {
  const viewer = useViewer()
  return useBoardMutation(boardId, {
    send: (entry: TimeEntry, stamp) =>
      withTimers(boardId, viewer.id, stamp, entriesApi.delete.mutate({ entryId: entry.id }, stamp), () => [deleted(entry)]),
    predict: (entry, board: Snapshot | undefined) => [deleted(entry, board)],
    fromAnswer: (_answer, entry, board: Snapshot | undefined) => [deleted(entry, board)],
    meta: {
      success: { title: 'Time entry deleted' },
      failure: (error) => ({ title: 'Failed to delete time entry', description: textOf(error, 'An unexpected error occurred') }),
    },
  })
}
