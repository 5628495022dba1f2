import { summaryOf, type UserSummary } from '../../users/schema'
import { type Call, client } from '../../web/client'
import { ownZone, serverNow } from '../../web/clock'
import { createStore } from '../../web/createStore'
import { type ChangeKind, changeKind, type Made } from '../../web/live/changeKinds'
import { submit } from '../../web/live/changeQueue'
import { isOvertaken, notUndone, sendOnRevision } from '../../web/live/revisions'
import { submitWithUndo, useChange } from '../../web/live/undoableChanges'
import { reasonOr, refusalOf } from '../../web/refusal'
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
  type NewEntryFields,
  offsetOn,
  startChanges,
  startedTimer,
  unstoppedEntry,
  updatedMessage,
  withPause,
} from './predictions'
import { isLockedNow, readTimersAgain, runningTimer, viewerNow } from './timersCache'

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

type Addition = { task: EntryTask; user: UserSummary; given: NewEntryFields }

const addition = (name: string, special: Partial<ChangeKind<Addition, TimeEntry>>) =>
  changeKind<Addition, TimeEntry, NonNullable<Board>>({
    name,
    creates: { type: 'time_entry_added', as: 'entry' },
    send: ({ task, given }, call) => client.time.create.mutate({ taskId: task.id, ...given }, call),
    predict: ({ task, user, given }, { id }, board) => [addedMessage(addedEntry(id, task, user, given), board)],
    textOf: ({ given }) => given.note,
    about: ({ task }) => task.title,
    texts: { failure: notAdded },
    ...special,
  })

const add = addition('time.add', { waits: true, texts: { success: addedText, failure: notAdded } })

/** Typed into My time, where it shows at once. */
const fill = addition('time.fill', {
  undo: (_input, _board, boardId) => (entry) => ({
    title: 'Time entry added',
    description: entry.task,
    run: () => submit(boardId, remove, entry),
  }),
})

export const useAddTime = (boardId: number) => useChange(boardId, add)

export async function fillTime(task: EntryTask, given: NewEntryFields) {
  const user = viewerNow()
  return user && submitWithUndo(task.boardId, fill, { task, user: summaryOf(user), given })
}

/** `toPause` is the currently running timer, needed only for the prediction. */
type Start = { task: EntryTask; user: UserSummary; timeZone: string; toPause?: TimeEntry }

const start = changeKind({
  name: 'time.start',
  creates: { type: 'time_entry_added', as: 'entry' },
  send: ({ task, timeZone }: Start, call, made) =>
    client.time.create.mutate({ taskId: task.id, timeZone, status: 'ACTIVE', ...clickTime(made) }, call),
  toSend: ({ toPause, ...input }) => input,
  predict: ({ task, user, toPause }, { id, at }, board: Board) =>
    withPause(toPause, at, addedMessage(startedTimer(id, task, user, at), board), board),
  about: ({ task }) => task.title,
  texts: { failure: notAdded },
})

export async function startTimer(task: EntryTask) {
  const user = viewerNow()
  if (!user) return
  await submitWithUndo(task.boardId, start, { task, user: summaryOf(user), timeZone: ownZone(), toPause: runningTimer() })
}

type EntryChange = { entry: TimeEntry; changes: EntryChanges; toPause?: TimeEntry }

const BASE = ['status', 'duration', 'note', 'startTime'] as const

/** A predicted timer may differ from the stored one, so fields are not compared if the revision matches. */
const byRevision = ({ forcedAt }: Made) => ({ forcedAt, isSettled: true })

async function sendChange({ entry, changes }: EntryChange, call: Call, made: Made): Promise<TimeEntry> {
  const moment = changes.status ? clickTime(made) : {}
  const fields = changes.billable === undefined ? BASE : ([...BASE, 'billable'] as const)
  try {
    return await sendOnRevision(entry, fields, call, byRevision(made), () =>
      client.time.update.mutate({ entryId: entry.id, ...changes, ...moment }, call),
    )
  } catch (error) {
    readTimersAgain()
    throw error
  }
}

const entryChange = (name: string, special: Partial<ChangeKind<EntryChange, TimeEntry>> = {}) =>
  changeKind<EntryChange, TimeEntry, NonNullable<Board>>({
    name,
    send: sendChange,
    toSend: ({ toPause, ...input }) => input,
    predict: ({ entry, changes, toPause }, { at }, board) =>
      withPause(toPause, at, updatedMessage(entry, changedEntry(entry, changes, at), board), board),
    textOf: ({ changes }) => changes.note ?? '',
    about: ({ entry }) => entry.task,
    texts: { failure: notUpdated },
    ...special,
  })

const editBack = entryChange('time.editBack', { texts: { failure: notUndone } })

const edit = entryChange('time.edit', {
  undo({ entry, changes: given }, _board, boardId) {
    const { duration, note, startTime, billable, day } = entry
    return (edited) => {
      const changes = {
        ...(given.duration !== undefined && { duration }),
        ...(given.note !== undefined && { note }),
        ...(given.billable !== undefined && { billable }),
        ...(given.timeZone !== undefined && startChanges(edited, startTime, offsetOn(startTime, day))),
      }
      return {
        title: 'Time entry updated',
        description: 'The time entry has been updated successfully',
        duration: UPDATE_SHOWN_FOR,
        run: () => submit(boardId, editBack, { entry: edited, changes }),
      }
    }
  },
})

export const useEditTime = (boardId: number) => useChange(boardId, edit)
export const editTime = (entry: TimeEntry, changes: EntryChanges) => submitWithUndo(entry.boardId, edit, { entry, changes })

const pauseOrResume = entryChange('time.switch')

export const switchTimer = (entry: TimeEntry, status: 'ACTIVE' | 'PAUSED') =>
  submitWithUndo(entry.boardId, pauseOrResume, {
    entry,
    changes: { status },
    toPause: status === 'ACTIVE' ? runningTimer(entry.id) : undefined,
  })

/** Waits, so that after a refusal the dialog still has what was typed. */
const stop = entryChange('time.stop', { waits: true, texts: { success: addedText, failure: notUpdated } })

export const useStopTimer = (boardId: number) => useChange(boardId, stop)

const SAME_TIME_MS = 60_000

/** Stopped in another tab at the same time, as intended. If it ran longer there, the refusal is shown. */
const stoppedElsewhere = (at: number) => (error: unknown) => {
  const current = refusalOf(error)?.current as TimeEntry | undefined
  if (current?.status === 'completed' && Math.abs(Date.parse(current.endTime ?? '') - at) < SAME_TIME_MS) return current
  throw error
}

/** On a locked board a stop cannot be undone. */
const stopAtOnce = entryChange('time.stopAtOnce', {
  send: (input, call, made) => sendChange(input, call, made).catch(stoppedElsewhere(made.at)),
  undo({ entry: { status } }, _board, boardId) {
    if (isLockedNow(boardId) || status === 'completed') return null
    return (stopped) => ({
      ...addedText(stopped),
      actions: entryActions(stopped),
      run: () => submit(boardId, unstop, { stopped, status, toPause: runningTimer() }),
    })
  },
  texts: { success: (entry) => (isLockedNow(entry.boardId) ? addedText(entry) : null), failure: notUpdated },
})

/** Stops a timer and logs its time. Offline, the entry can be described and changed, and undone once it is sent. */
export async function stopTimer(entry: TimeEntry): Promise<void> {
  const changes = { status: 'completed', notify: true } as const
  const stopped = changedEntry(entry, changes, serverNow())
  const outcome = await submitWithUndo(entry.boardId, stopAtOnce, { entry, changes })
  if (outcome?.later && !isLockedNow(entry.boardId)) toast({ ...addedText(stopped), actions: entryActions(stopped) })
}

const entryActions = (entry: TimeEntry) => [
  { label: 'Add note', run: () => opened.set({ entry, focus: 'note' }) },
  { label: 'Change', run: () => opened.set({ entry }) },
]

type Unstop = { stopped: TimeEntry; status: 'ACTIVE' | 'PAUSED'; toPause?: TimeEntry }

/** Later edits to its note stay. */
const unstop = changeKind({
  name: 'time.unstop',
  send: ({ stopped, status }: Unstop, call, made) =>
    sendOnRevision(stopped, ['status', 'duration', 'startTime'], call, byRevision(made), () =>
      client.time.unstop.mutate({ entryId: stopped.id, status, ...clickTime(made) }, call),
    ),
  toSend: ({ toPause, ...input }) => input,
  predict({ stopped, status, toPause }, { at }, board: Board) {
    const pause = status === 'ACTIVE' ? toPause : undefined
    const entry = unstoppedEntry(stopped, status, pause ? new Date(at).toISOString() : stopped.endTime)
    return withPause(pause, at, updatedMessage(stopped, entry, board), board)
  },
  about: ({ stopped }) => stopped.task,
  texts: { failure: notUndone },
})

const confirm = changeKind({
  name: 'time.confirm',
  send: (entry: TimeEntry, call, made) => client.time.confirm.mutate({ entryId: entry.id, ...clickTime(made) }, call),
  predict: (entry, { at }, board: Board) => [updatedMessage(entry, confirmedTimer(entry, at), board)],
  about: ({ task }) => task,
  texts: { failure: notUpdated },
})

export const confirmTimer = (entry: TimeEntry) => submitWithUndo(entry.boardId, confirm, entry)

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

export const deleteTime = (entry: TimeEntry) => submitWithUndo(entry.boardId, remove, entry)

/** An entry whose form was opened from a toast, on any page; `note` focuses the note. */
const opened = createStore<{ entry: TimeEntry; focus?: 'note' } | undefined>(undefined)

export const closeEntry = (): void => opened.set(undefined)
export const useOpenedEntry = opened.use
