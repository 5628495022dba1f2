import { useViewer } from '../../users/page/viewer'
import { summaryOf, type UserSummary } from '../../users/schema'
import { type Call, client } from '../../web/client'
import { serverNow } from '../../web/clock'
import { changeKind, type Made } from '../../web/live/changeKinds'
import { submit } from '../../web/live/changeQueue'
import { submitWithUndo, useChange } from '../../web/live/predictions'
import { isOvertaken, notUndone, sendOnRevision } from '../../web/live/revisions'
import { reasonOr, refusalOf } from '../../web/refusal'
import { createStore } from '../../web/store'
import { type ToastText, toast, UPDATE_SHOWN_FOR } from '../../web/toast'
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
  momentOnDay,
  type NewEntryFields,
  startedTimer,
  unstoppedEntry,
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
  toSend: (input) => ({ ...input, toPause: undefined }),
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
  const fields = changes.billable === undefined ? BASE : ([...BASE, 'billable'] as const)
  try {
    return await sendOnRevision(entry, fields, call, made, () =>
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
    toSend: (input) => ({ ...input, toPause: undefined }),
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
  ({ entry, changes: given }: EntryChange, _board: unknown, boardId: number) =>
  (edited: TimeEntry) => {
    const { duration, note, startTime, billable, day } = entry
    const changes = {
      ...(given.duration !== undefined && { duration }),
      ...(given.note !== undefined && { note }),
      ...(given.billable !== undefined && { billable }),
      ...(startTime !== edited.startTime && { startTime: momentOnDay(startTime, day) }),
    }
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

type Stop = Omit<EntryChange, 'toPause'> & { isLocked: boolean }

const SAME_TIME_MS = 60_000

/** Stopped in another tab at the same time, as was wanted. Where it ran on for longer there, the refusal is shown. */
const stoppedElsewhere = (at: number) => (error: unknown) => {
  const current = refusalOf(error)?.current as TimeEntry | undefined
  if (current?.status === 'completed' && Math.abs(Date.parse(current.endTime ?? '') - at) < SAME_TIME_MS) return current
  throw error
}

const stopAtOnce = changeKind({
  name: 'time.stopAtOnce',
  send: (input: Stop, call, made) => sendChange({ ...input, toPause: undefined }, call, made).catch(stoppedElsewhere(made.at)),
  predict: ({ entry, changes }, { at }, board: Board) => [updatedMessage(entry, changedEntry(entry, changes, at), board)],
  undo: undoStop,
  about: ({ entry }) => entry.task,
  texts: { success: (entry, { isLocked }) => (isLocked ? addedText(entry) : null), failure: notUpdated },
})

/** On a locked board what is stopped stays. */
function undoStop({ entry: { status }, isLocked }: Stop, _board: unknown, boardId: number) {
  if (isLocked || status === 'completed') return null
  return (stopped: TimeEntry) => ({
    ...addedText(stopped),
    actions: entryActions(stopped),
    run: () => submit(boardId, unstop, { stopped, status, toPause: runningTimer(stopped.userId) }),
  })
}

const entryActions = (entry: TimeEntry) => [
  { label: 'Add note', run: () => openEntry(entry, 'note') },
  { label: 'Change', run: () => openEntry(entry) },
]

type Unstop = { stopped: TimeEntry; status: 'ACTIVE' | 'PAUSED'; toPause: TimeEntry | undefined }

/** What was written about it since then stays. */
const unstop = changeKind({
  name: 'time.unstop',
  send: ({ stopped, status }: Unstop, call, made) =>
    sendOnRevision(stopped, ['status', 'duration', 'startTime'], call, made, () =>
      client.time.unstop.mutate({ entryId: stopped.id, status, ...clickTime(made) }, call),
    ),
  toSend: (input) => ({ ...input, toPause: undefined }),
  predict({ stopped, status, toPause }, { at }, board: Board) {
    const pause = status === 'ACTIVE' ? toPause : undefined
    const entry = unstoppedEntry(stopped, status, pause ? new Date(at).toISOString() : stopped.endTime)
    return withPause(pause, at, updatedMessage(stopped, entry, board), board)
  },
  about: ({ stopped }) => stopped.task,
  texts: { failure: notUndone },
})

/** Stops a timer and logs what it counted. Without a connection it can be described and changed, and undone once it is sent. */
export function useStopAtOnce(boardId: number, isLocked: boolean) {
  const { run } = useChange(boardId, stopAtOnce)
  return async (entry: TimeEntry) => {
    const changes = { status: 'completed', notify: true } as const
    const stopped = changedEntry(entry, changes, serverNow())
    const outcome = await run({ entry, changes, isLocked })
    if (outcome?.later && !isLocked) toast({ ...addedText(stopped), actions: entryActions(stopped) })
  }
}

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

export const noteTime = (entry: TimeEntry, note: string) =>
  submitWithUndo(entry.boardId, refill, { entry, changes: { note }, toPause: undefined })

export const useSwitchTimer = (boardId: number) => useEntryChange(boardId, switchTimer)
export const useStopTimer = (boardId: number) => useEntryChange(boardId, stop)

const confirm = changeKind({
  name: 'time.confirm',
  send: (entry: TimeEntry, call, made) => client.time.confirm.mutate({ entryId: entry.id, ...clickTime(made) }, call),
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

/** An entry whose form a notice has opened, from wherever the page is; the note is what is to be written. */
const opened = createStore<{ entry: TimeEntry; focus: 'note' | undefined } | undefined>(undefined)

const openEntry = (entry: TimeEntry, focus?: 'note'): void => opened.set({ entry, focus })
export const closeEntry = (): void => opened.set(undefined)
export const useOpenedEntry = opened.use
