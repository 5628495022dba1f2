import type { TaskMessage } from '../../../tasks/schema'
import { applyChange, type Change, type Reducers } from '../../../web/live/reducers'
import type { TimeEntry, TimeEntryMessage } from '../../entries/schema'
import type { NameOf } from '../../timers/page/reducers'
import type { MyTime } from '../schema'

export const applyToMyTime = (time: MyTime, change: Change, userId: number, nameOf: NameOf): MyTime =>
  applyChange(reducersOf(userId, nameOf), time, change)

function reducersOf(userId: number, nameOf: NameOf): Reducers<MyTime, TimeEntryMessage | TaskMessage> {
  const put = (time: MyTime, { entry }: { entry: TimeEntry }) => (entry.userId === userId ? withEntry(time, entry, nameOf) : time)
  return {
    time_entry_added: put,
    time_entry_updated: put,
    time_entry_deleted: (time, { entryId }) => ({ ...time, entries: time.entries.filter(({ id }) => id !== entryId) }),
    task_updated: (time, { task: { id, title, status } }) => ({
      ...time,
      entries: time.entries.map((entry) => (entry.taskId === id ? { ...entry, task: title } : entry)),
      tasks: time.tasks.map((task) => (task.id === id ? { ...task, title, status } : task)),
    }),
  }
}

/** One that was moved to another week goes. */
function withEntry(time: MyTime, entry: TimeEntry, nameOf: NameOf): MyTime {
  const others = time.entries.filter(({ id }) => id !== entry.id)
  if (entry.day < time.from || entry.day > time.to) return { ...time, entries: others }
  const known = [...time.entries, ...time.tasks].find(({ boardId }) => boardId === entry.boardId)
  return { ...time, entries: [...others, { ...entry, board: nameOf(entry.boardId) ?? known?.board ?? '' }] }
}
