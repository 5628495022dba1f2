import { useViewer } from '../../../auth/page/cache'
import { useBoardMutation } from '../../../boards/page/boardMutation'
import type { BoardChange } from '../../../protocol'
import type { Snapshot, Task } from '../../../tasks/schema'
import type { ToastText } from '../../../web/toast'
import { client, refusalOf, type Stamp } from '../../../web/trpc'
import { serverNow } from '../../entries/page/useNow'
import type { TimeEntry } from '../../entries/schema'
import { addedEntry, type Changes, changedEntry, confirmedTimer, type Given, loggedMinutes, startedTimer } from './predicted'
import { answerTimers, readTimersAgain, runningTimer } from './useTimers'

const minutesIn = (board: Snapshot | undefined, taskId: number) => board?.tasks.find(({ id }) => id === taskId)?.minutes ?? 0

const added = (entry: TimeEntry, board?: Snapshot): BoardChange => {
  const { taskId } = entry
  return { type: 'time_entry_added', payload: { taskId, entry, minutes: minutesIn(board, taskId) + loggedMinutes(entry) } }
}

const updated = (before: TimeEntry, entry: TimeEntry, board?: Snapshot): BoardChange => {
  const { taskId } = entry
  const minutes = minutesIn(board, taskId) + loggedMinutes(entry) - loggedMinutes(before)
  return { type: 'time_entry_updated', payload: { taskId, entry, minutes } }
}

const deleted = (entry: TimeEntry, board?: Snapshot): BoardChange => {
  const { id: entryId, taskId } = entry
  return { type: 'time_entry_deleted', payload: { taskId, entryId, minutes: minutesIn(board, taskId) - loggedMinutes(entry) } }
}

/** A change, after the pause of the timer that rests from then on (contract.md, section 4): foreseen, and answered. */
function resting(rests: TimeEntry | undefined, change: BoardChange, board?: Snapshot): BoardChange[] {
  return rests ? [updated(rests, changedEntry(rests, { status: 'PAUSED' }, serverNow()), board), change] : [change]
}

/** What the server answered, and the timer that ran until then. */
type Answer = { entry: TimeEntry; rests?: TimeEntry | undefined }

const said = (error: unknown, otherwise: string) => refusalOf(error)?.message || otherwise
const addedText = ({ duration, task }: TimeEntry): ToastText => ({
  title: 'Time entry added',
  description: `Added ${duration} ${duration === 1 ? 'minute' : 'minutes'} to "${task}"`,
})
const notAdded = (error: unknown) => ({ title: 'Error', description: said(error, 'Failed to add time entry.') })
const notUpdated = (error: unknown) => ({
  title: 'Failed to update time entry',
  description: said(error, 'An unexpected error occurred'),
})

export function useAddTime(boardId: number) {
  const viewer = useViewer()
  return useBoardMutation(boardId, {
    send: ({ task, given }: { task: Task; given: Given }, stamp) =>
      client.time.create.mutate({ taskId: task.id, ...given }, stamp),
    foresee: ({ task, given }, board) => [added(addedEntry(task, viewer, given), board)],
    learned: (entry, _input, board) => [added(entry, board)],
    // The answer of the call above.
    meta: { success: (entry) => addedText(entry as TimeEntry), failure: notAdded },
  })
}

export function useStartTimer(boardId: number) {
  const viewer = useViewer()
  return useBoardMutation(boardId, {
    send: async ({ task, timeZone }: { task: Task; timeZone: string }, stamp) => {
      const entry = await client.time.create.mutate({ taskId: task.id, timeZone, status: 'ACTIVE' }, stamp)
      const rests = runningTimer(entry.id)
      answerTimers(boardId, stamp.context.version, resting(rests, added(entry)), viewer.id)
      return { entry, rests }
    },
    foresee: ({ task }, board) => resting(runningTimer(), added(startedTimer(task, viewer, serverNow()), board), board),
    learned: ({ entry, rests }: Answer, _input, board) => resting(rests, added(entry, board), board),
    meta: { failure: notAdded },
  })
}

type Change = { entry: TimeEntry; changes: Changes }

type Words = { success?: ToastText | ((answer: unknown) => ToastText) }

function useChange(boardId: number, words: Words, foreseeable = true) {
  const viewer = useViewer()
  const restedBy = ({ entry, changes }: Change) => (changes.status === 'ACTIVE' ? runningTimer(entry.id) : undefined)
  const told = (before: TimeEntry, { entry, rests }: Answer, board?: Snapshot) =>
    resting(rests, updated(before, entry, board), board)
  const foresee = (change: Change, board?: Snapshot) => {
    const { entry, changes } = change
    return foreseeable ? told(entry, { entry: changedEntry(entry, changes, serverNow()), rests: restedBy(change) }, board) : []
  }
  return useBoardMutation(boardId, {
    send: (change: Change, stamp) => {
      const { entry, changes } = change
      const call = client.time.update
        .mutate({ entryId: entry.id, ...changes }, stamp)
        .then((answer): Answer => ({ entry: answer, rests: restedBy(change) }))
      return answered(boardId, viewer.id, stamp, call, (answer) => told(entry, answer))
    },
    foresee,
    foreseeAway: (change) => foresee(change),
    learned: (answer, { entry }, board) => told(entry, answer, board),
    meta: { ...words, failure: notUpdated },
  })
}

/** Tells the timers of an answer; where there is a refusal, they may be out of date. */
async function answered<Answer>(
  boardId: number,
  userId: number,
  { context }: Stamp,
  call: Promise<Answer>,
  changes: (answer: Answer) => BoardChange[],
): Promise<Answer> {
  try {
    const answer = await call
    answerTimers(boardId, context.version, changes(answer), userId)
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

/** Pausing and resuming, which say nothing: one sees it. */
export const useSwitchTimer = (boardId: number) => useChange(boardId, {})

/** Not foreseen: where it is refused, the dialog has to be there still, with what was typed into it. */
export const useStopTimer = (boardId: number) =>
  useChange(boardId, { success: (answer) => addedText((answer as Answer).entry) }, false)

/** "Still working": what was counted so far was work. */
export function useConfirmTimer(boardId: number) {
  const viewer = useViewer()
  const confirmed = (entry: TimeEntry, board?: Snapshot) => [updated(entry, confirmedTimer(entry, serverNow()), board)]
  return useBoardMutation(boardId, {
    send: (entry: TimeEntry, stamp) =>
      answered(boardId, viewer.id, stamp, client.time.confirm.mutate({ entryId: entry.id }, stamp), (answer) => [
        updated(entry, answer),
      ]),
    foresee: confirmed,
    foreseeAway: (entry) => confirmed(entry),
    learned: (answer, entry, board) => [updated(entry, answer, board)],
    meta: { failure: notUpdated },
  })
}

export function useDeleteTime(boardId: number) {
  const viewer = useViewer()
  return useBoardMutation(boardId, {
    send: (entry: TimeEntry, stamp) =>
      answered(boardId, viewer.id, stamp, client.time.delete.mutate({ entryId: entry.id }, stamp), () => [deleted(entry)]),
    foresee: (entry, board) => [deleted(entry, board)],
    foreseeAway: (entry) => [deleted(entry)],
    learned: (_answer, entry, board) => [deleted(entry, board)],
    meta: {
      success: { title: 'Time entry deleted' },
      failure: (error) => ({ title: 'Failed to delete time entry', description: said(error, 'An unexpected error occurred') }),
    },
  })
}
