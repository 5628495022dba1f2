import type { BoardMessage } from '../../boards/schema'
import { changeTask } from '../../tasks/page/reducers'
import type { RunningTimer, Snapshot, TaskMessage } from '../../tasks/schema'
import { applyChange, type Change, type Reducers } from '../../web/live/reducers'
import type { TimeEntry, TimeEntryMessage, Timer } from '../schema'

const setMinutes = (snapshot: Snapshot, { taskId, minutes }: { taskId: number; minutes: number }) =>
  changeTask(snapshot, taskId, () => ({ minutes }))

const putEntry = (snapshot: Snapshot, payload: { taskId: number; entry: TimeEntry; minutes: number }) =>
  setTimer(setMinutes(snapshot, payload), payload.entry)

/** A user's running timer replaces their previous one. */
function setTimer(snapshot: Snapshot, { id: entryId, taskId, userId, runningSince, counted }: TimeEntry): Snapshot {
  const others = withoutTimers(
    snapshot,
    (timer) => timer.entryId === entryId || (runningSince !== null && timer.userId === userId),
  )
  return runningSince ? { ...others, timers: [...others.timers, { entryId, taskId, userId, runningSince, counted }] } : others
}

/** Returns the same list if nothing was removed, so that no card rerenders. */
function withoutTimers(snapshot: Snapshot, goes: (timer: RunningTimer) => boolean): Snapshot {
  return snapshot.timers.some(goes) ? { ...snapshot, timers: snapshot.timers.filter((timer) => !goes(timer)) } : snapshot
}

export const taskMinutes: Reducers<Snapshot, TimeEntryMessage | TaskMessage | BoardMessage> = {
  time_entry_added: putEntry,
  time_entry_updated: putEntry,
  time_entry_deleted: (snapshot, payload) =>
    withoutTimers(setMinutes(snapshot, payload), ({ entryId }) => entryId === payload.entryId),
  task_deleted: (snapshot, { taskId }) => withoutTimers(snapshot, (timer) => timer.taskId === taskId),
  board_member_removed: (snapshot, { userId }) => withoutTimers(snapshot, (timer) => timer.userId === userId),
}

export type NameOf = (boardId: number) => string | undefined

export const applyToTimers = (timers: Timer[], change: Change, userId: number, nameOf: NameOf): Timer[] =>
  applyChange(timerReducers(userId, nameOf), timers, change)

function timerReducers(userId: number, nameOf: NameOf): Reducers<Timer[], TimeEntryMessage | TaskMessage> {
  const update = (timers: Timer[], { entry }: { entry: TimeEntry }) =>
    entry.userId === userId ? withTimer(timers, entry, nameOf) : timers
  return {
    time_entry_added: update,
    time_entry_updated: update,
    time_entry_deleted: (timers, { entryId }) => timers.filter(({ id }) => id !== entryId),
    // The same list if no title changes, so that nothing rerenders.
    task_updated: (timers, { task }) =>
      timers.some(({ taskId, task: title }) => taskId === task.id && title !== task.title)
        ? timers.map((timer) => (timer.taskId === task.id ? { ...timer, task: task.title } : timer))
        : timers,
  }
}

function withTimer(timers: Timer[], entry: TimeEntry, nameOf: NameOf): Timer[] {
  const others = timers.filter(({ id }) => id !== entry.id)
  return entry.status === 'completed' ? others : [...others, withBoard(entry, timers, nameOf)]
}

/** With its board's name, from `nameOf` or another entry of that board. */
export const withBoard = (entry: TimeEntry, known: { boardId: number; board: string }[], nameOf: NameOf): Timer => ({
  ...entry,
  board: nameOf(entry.boardId) ?? known.find(({ boardId }) => boardId === entry.boardId)?.board ?? '',
})

export const inOrder = <T extends Pick<TimeEntry, 'id' | 'status'>>(timers: T[]): T[] =>
  timers.toSorted((a, b) => Number(b.status === 'ACTIVE') - Number(a.status === 'ACTIVE') || b.id - a.id)
