import type { TaskMessage } from '../../../tasks/schema'
import { applyChange, type Change, type Reducers } from '../../../web/live/reducers'
import type { TimeEntry, TimeEntryMessage } from '../../entries/schema'
import type { Timer } from '../schema'

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
    // The same list where nothing is to be drawn anew.
    task_updated: (timers, { task }) =>
      timers.some(({ taskId, task: title }) => taskId === task.id && title !== task.title)
        ? timers.map((timer) => (timer.taskId === task.id ? { ...timer, task: task.title } : timer))
        : timers,
  }
}

function withTimer(timers: Timer[], entry: TimeEntry, nameOf: NameOf): Timer[] {
  const others = timers.filter(({ id }) => id !== entry.id)
  if (entry.status === 'completed') return others
  const board = nameOf(entry.boardId) ?? timers.find(({ boardId }) => boardId === entry.boardId)?.board ?? ''
  return [...others, { ...entry, board }]
}

export const inOrder = <T extends Pick<TimeEntry, 'id' | 'status'>>(timers: T[]): T[] =>
  timers.toSorted((a, b) => Number(b.status === 'ACTIVE') - Number(a.status === 'ACTIVE') || b.id - a.id)
