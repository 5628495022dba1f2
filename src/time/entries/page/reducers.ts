import { isAboutTask } from '../../../tasks/page/reducers'
import { updateAuthor } from '../../../users/page/reducers'
import type { UserMessage } from '../../../users/schema'
import { applyChange, type Change, type Reducers } from '../../../web/live/reducers'
import type { TimeEntry, TimeEntryMessage } from '../schema'

const isEarlier = (a: TimeEntry, b: TimeEntry) => (a.startTime === b.startTime ? a.id < b.id : a.startTime < b.startTime)

function withEntry(entries: TimeEntry[], { entry }: { entry: TimeEntry }): TimeEntry[] {
  const others = entries.filter(({ id }) => id !== entry.id)
  const next = others.findIndex((other) => isEarlier(other, entry))
  return others.toSpliced(next < 0 ? others.length : next, 0, entry)
}

const entryReducers: Reducers<TimeEntry[], TimeEntryMessage | UserMessage> = {
  time_entry_added: withEntry,
  time_entry_updated: withEntry,
  time_entry_deleted: (entries, { entryId }) => entries.filter(({ id }) => id !== entryId),
  user_profile_updated: (entries, { user }) => updateAuthor(entries, user),
}

export const applyToEntries = (taskId: number, entries: TimeEntry[], change: Change): TimeEntry[] =>
  isAboutTask(change, taskId) === false ? entries : applyChange(entryReducers, entries, change)

/** The newest entries of a task; `more` where there are earlier ones. */
export type NewestEntries = { entries: TimeEntry[]; more: boolean }

/** An entry before the newest ones is left out until it is read with its neighbours. */
export function applyToNewest(taskId: number, newest: NewestEntries, change: Change): NewestEntries {
  const entries = applyToEntries(taskId, newest.entries, change)
  const last = newest.entries.at(-1)
  if (entries === newest.entries) return newest
  return { ...newest, entries: newest.more && last ? entries.filter((entry) => !isEarlier(entry, last)) : entries }
}
