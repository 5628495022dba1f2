import { useViewer } from '../../users/page/viewer'
import { summaryOf, type UserSummary } from '../../users/schema'
import { type Call, client } from '../../web/client'
import { changeKind, type Made } from '../../web/live/changeKinds'
import { submit } from '../../web/live/changeQueue'
import { submitWithUndo, useChange } from '../../web/live/predictions'
import { isOvertaken, notUndone, sendOnRevision } from '../../web/live/revisions'
import { reasonOr } from '../../web/refusal'
import { type ToastText, UPDATE_SHOWN_FOR } from '../../web/toast'
import type { TimeEntry } from '../schema'
import {
  addedEntry,
  addedMessage,
  type Board,
  changedEntry,
  confirmedTimer,
  deletedMessage,
  type EntryChanges,
  type EntryTask,
  type NewEntryFields,
  startedTimer,
  updatedMessage,
  withPause,
} from './predictions'
import { readTimersAgain, runningTimer } from './timersCache'

/** The time of the click counts, however late the change is sent. */
const clickTime = ({ at, isTimed }: Made) => (isTimed ? { at: new Date(at).toISOString() } : {})

const addedText = ({ duration, task }: TimeEntry): ToastText => ({
  title: 'Time entry added',
  description: `Added ${duration} ${duration === 1 ? 'minute' : 'minutes'} to "${task}"`,
})
const notAdded = (error: unknown) => ({ title: 'Error', description: reasonOr(error, 'Failed to add time entry.') })
const CHANGED_ELSEWHERE = 'This was changed in another window at the same time. Check it and try again.'
const notUpdated = (error: unknown) => ({
  title: 'Failed to update time entry',
  description: isOvertaken(error) ? CHANGED_ELSEWHERE : reasonOr(error, 'An unexpected error occurred'),
})

type Texts = { success?: typeof addedText }

const entryAddition = (name: string, options: { waits?: true; undo?: typeof undoFill }, texts: Texts = {}) =>
  changeKind({
    name,
    ...options,
    creates: { type: 'time_entry_added', as: 'entry' },
    send: ({ task, given }: { task: EntryTask; user: UserSummary; given: NewEntryFields }, call) =>
      client.time.create.mutate({ taskId: task.id, ...given }, call),
    predict: ({ task, user, given }, { id }, board: Board) => [addedMessage(addedEntry(id, task, user, given), board)],
    textOf: ({ given }) => given.note,
    about: ({ task }) => task.title,
    texts: { ...texts, failure: notAdded },
  })

const add = entryAddition('time.add', { waits: true }, { success: addedText })
const undoFill = (_input: unknown, _board: unknown, boardId: number) => (entry: TimeEntry) => ({
  title: 'Time entry added',
  description: entry.task,
  run: () => submit(boardId, remove, entry),
})

/** Typed into My time, where it shows at once. */
const fill = entryAddition('time.fill', { undo: undoFill })

export function useAddTime(boardId: number) {
  const user = summaryOf(useViewer())
  const { run, isPending } = useChange(boardId, add)
  return { run: (input: { task: EntryTask; given: NewEntryFields }) => run({ ...input, user }), isPending }
}

export const fillTime = (input: { task: EntryTask; user: UserSummary; given: NewEntryFields }) =>
  submitWithUndo(input.task.boardId, fill, input)

const start = changeKind({
  name: 'time.start',
  creates: { type: 'time_entry_added', as: 'entry' },
  send: (
    { task, timeZone }: { task: EntryTask; user: UserSummary; timeZone: string; toPause: TimeEntry | undefined },
    call,
    made,
  ) => client.time.create.mutate({ taskId: task.id, timeZone, status: 'ACTIVE', ...clickTime(made) }, call),
  needs: (input) => ({ ...input, toPause: undefined }),
  predict: ({ task, user, toPause }, { id, at }, board: Board) =>
    withPause(toPause, at, addedMessage(startedTimer(id, task, user, at), board), board),
  about: ({ task }) => task.title,
  texts: { failure: notAdded },
})

export function useStartTimer(boardId: number) {
  const user = summaryOf(useViewer())
  const { run } = useChange(boardId, start)
  return { run: (input: { task: EntryTask; timeZone: string }) => run({ ...input, user, toPause: runningTimer(user.id) }) }
}

type EntryChange = { entry: TimeEntry; changes: EntryChanges; toPause: TimeEntry | undefined }

const BASE = ['status', 'duration', 'note', 'startTime'] as const

async function sendChange({ entry, changes }: EntryChange, call: Call, made: Made): Promise<TimeEntry> {
  const moment = changes.status ? clickTime(made) : {}
  try {
    return await sendOnRevision(entry, BASE, call, made, () =>
      client.time.update.mutate({ entryId: entry.id, ...changes, ...moment }, call),
    )
  } catch (error) {
    readTimersAgain()
    throw error
  }
}

const entryChange = (name: string, options: { waits?: true; undo?: typeof undoEdit }, texts: Texts = {}) =>
  changeKind({
    name,
    ...options,
    send: sendChange,
    needs: (input) => ({ ...input, toPause: undefined }),
    predict: ({ entry, changes, toPause }, { at }, board: Board) =>
      withPause(toPause, at, updatedMessage(entry, changedEntry(entry, changes, at), board), board),
    textOf: ({ changes }) => changes.note ?? '',
    about: ({ entry }) => entry.task,
    texts: { ...texts, failure: notUpdated },
  })

const editBack = changeKind({
  name: 'time.editBack',
  send: (change: EntryChange, call, made) => sendChange(change, call, made),
  predict: ({ entry, changes }, { at }, board: Board) => [updatedMessage(entry, changedEntry(entry, changes, at), board)],
  about: ({ entry }) => entry.task,
  texts: { failure: notUndone },
})

const undoEdit =
  ({ entry }: EntryChange, _board: unknown, boardId: number) =>
  (edited: TimeEntry) => {
    const { duration, note, startTime, billable } = entry
    const changes = { duration, note, billable, ...(startTime !== edited.startTime && { startTime }) }
    return {
      title: 'Time entry updated',
      description: 'The time entry has been updated successfully',
      duration: UPDATE_SHOWN_FOR,
      run: () => submit(boardId, editBack, { entry: edited, changes, toPause: undefined }),
    }
  }

const edit = entryChange('time.edit', { undo: undoEdit })
const refill = entryChange('time.refill', { undo: undoEdit })
const switchTimer = entryChange('time.switch', {})
/** Waits, so that after a refusal the dialog still holds what was typed. */
const stop = entryChange('time.stop', { waits: true }, { success: addedText })

function useEntryChange(boardId: number, kind: typeof edit) {
  const viewer = useViewer()
  const { run, isPending } = useChange(boardId, kind)
  return {
    run: ({ entry, changes }: Omit<EntryChange, 'toPause'>) =>
      run({ entry, changes, toPause: changes.status === 'ACTIVE' ? runningTimer(viewer.id, entry.id) : undefined }),
    isPending,
  }
}

export const useEditTime = (boardId: number) => useEntryChange(boardId, edit)
export const refillTime = (entry: TimeEntry, duration: number) =>
  submitWithUndo(entry.boardId, refill, { entry, changes: { duration }, toPause: undefined })

export const useSwitchTimer = (boardId: number) => useEntryChange(boardId, switchTimer)
export const useStopTimer = (boardId: number) => useEntryChange(boardId, stop)

const confirm = changeKind({
  name: 'time.confirm',
  send: (entry: TimeEntry, call) => client.time.confirm.mutate({ entryId: entry.id }, call),
  predict: (entry, { at }, board: Board) => [updatedMessage(entry, confirmedTimer(entry, at), board)],
  about: ({ task }) => task,
  texts: { failure: notUpdated },
})

export const useConfirmTimer = (boardId: number) => useChange(boardId, confirm)

const restore = changeKind({
  name: 'time.restore',
  send: ({ entryId }: { entryId: number }, call) => client.time.restore.mutate({ entryId }, call),
  texts: { failure: notUndone },
})

const remove = changeKind({
  name: 'time.delete',
  send: (entry: TimeEntry, call) => client.time.delete.mutate({ entryId: entry.id }, call),
  predict: (entry, _made, board: Board) => [deletedMessage(entry, board)],
  undo:
    ({ id: entryId, task: description }, _board, boardId) =>
    () => ({ title: 'Time entry deleted', description, run: () => submit(boardId, restore, { entryId }) }),
  about: ({ task }) => task,
  texts: {
    failure: (error) => ({ title: 'Failed to delete time entry', description: reasonOr(error, 'An unexpected error occurred') }),
  },
})

export const useDeleteTime = (boardId: number) => useChange(boardId, remove)
