import { useCallback } from 'react'
import { LISTED_AT_ONCE } from '../../protocol'
import { isAboutTask } from '../../tasks/page/reducers'
import { updateAuthor } from '../../users/page/reducers'
import type { UserMessage } from '../../users/schema'
import { client } from '../../web/client'
import { liveQuery } from '../../web/live/liveQuery'
import { ofTask, useLive } from '../../web/live/predictions'
import { applyChange, type Change, type Reducers } from '../../web/live/reducers'
import type { TimeEntry, TimeEntryMessage } from '../schema'

const NONE: NewestEntries = { entries: [], more: false }

async function readNewest(taskId: number, signal: AbortSignal): Promise<NewestEntries> {
  try {
    const entries = await client.time.ofTask.query({ taskId }, { signal })
    return { entries, more: entries.length === LISTED_AT_ONCE }
  } catch (error) {
    if (!signal.aborted) console.warn('The time entries could not be read', error)
    throw error
  }
}

export function useTimeEntries(boardId: number, taskId: number) {
  const apply = useCallback((newest: NewestEntries, change: Change) => applyToNewest(taskId, newest, change), [taskId])
  const query = liveQuery({ key: [boardId, 'time', taskId], read: (signal) => readNewest(taskId, signal), apply })
  const { data, error, isError, isFetching, refetch } = useLive(ofTask(taskId, query, NONE), apply, NONE)
  return { entries: data?.entries, more: data?.more, error, isError, isFetching, retry: () => void refetch() }
}

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

/** The newest entries of a task; `more` if there are earlier ones. */
export type NewestEntries = { entries: TimeEntry[]; more: boolean }

/** Leaves out an entry before the newest ones until it is read with its neighbours. */
export function applyToNewest(taskId: number, newest: NewestEntries, change: Change): NewestEntries {
  const entries = applyToEntries(taskId, newest.entries, change)
  const last = newest.entries.at(-1)
  if (entries === newest.entries) return newest
  return { ...newest, entries: newest.more && last ? entries.filter((entry) => !isEarlier(entry, last)) : entries }
}
