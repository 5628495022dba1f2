import type { BoardMessage } from '../../../boards/schema'
import { changeTask } from '../../../tasks/page/reducers'
import type { RunningTimer, Snapshot, TaskMessage } from '../../../tasks/schema'
import type { Reducers } from '../../../web/live/reducers'
import type { TimeEntry, TimeEntryMessage } from '../schema'

const setMinutes = (snapshot: Snapshot, { taskId, minutes }: { taskId: number; minutes: number }) =>
  changeTask(snapshot, taskId, () => ({ minutes }))

const putEntry = (snapshot: Snapshot, payload: { taskId: number; entry: TimeEntry; minutes: number }) =>
  setTimer(setMinutes(snapshot, payload), payload.entry)

/** A user's running timer replaces the one that they had. */
function setTimer(snapshot: Snapshot, { id: entryId, taskId, userId, runningSince, counted }: TimeEntry): Snapshot {
  const others = withoutTimers(
    snapshot,
    (timer) => timer.entryId === entryId || (runningSince !== null && timer.userId === userId),
  )
  return runningSince ? { ...others, timers: [...others.timers, { entryId, taskId, userId, runningSince, counted }] } : others
}

/** Keeps the list where nothing goes, so that no card renders. */
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
