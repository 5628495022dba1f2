import { useCallback } from 'react'
import { cursorAt, LISTED_AT_ONCE } from '../../protocol'
import { isAboutTask } from '../../tasks/page/reducers'
import { updateAuthor } from '../../users/page/reducers'
import type { UserMessage } from '../../users/schema'
import { client } from '../../web/client'
import { liveQuery } from '../../web/live/liveQuery'
import { ofTask, useLive } from '../../web/live/predictions'
import { applyChange, type Change, type Reducers } from '../../web/live/reducers'
import type { TimeEntry, TimeEntryMessage } from '../schema'

const READ_AT_FIRST = 100
/** How many times as many entries each further read asks for. */
const GROWTH = 3

const NONE: NewestEntries = { entries: [], more: false }

/** How many entries each task's list wants, once it reads earlier ones. */
const wantedOf = new Map<number, number>()

const readNewest = (taskId: number, signal: AbortSignal) =>
  readPages(taskId, signal).catch((error: unknown) => {
    if (!signal.aborted) console.warn('The time entries could not be read', error)
    throw error
  })

async function readPages(taskId: number, signal: AbortSignal): Promise<NewestEntries> {
  const wanted = wantedOf.get(taskId) ?? READ_AT_FIRST
  const entries: TimeEntry[] = []
  for (;;) {
    const last = entries.at(-1)
    const cursor = last && cursorAt(last.startTime, last.id)
    const limit = Math.min(LISTED_AT_ONCE, wanted - entries.length)
    const next = await client.time.ofTask.query({ taskId, cursor, limit }, { signal })
    entries.push(...next)
    if (next.length < limit) return { entries, more: false }
    if (entries.length >= wanted) return { entries, more: true }
  }
}

/** A task's newest time entries with changes in flight; `readEarlier` reads earlier ones. */
export function useTimeEntries(boardId: number, taskId: number) {
  const apply = useCallback((newest: NewestEntries, change: Change) => applyToNewest(taskId, newest, change), [taskId])
  const query = liveQuery({ key: [boardId, 'time', taskId], read: (signal) => readNewest(taskId, signal), apply })
  const { data: newest, live, error, isError, isFetching, refetch } = useLive(ofTask(taskId, query, NONE), apply, NONE)
  const retry = () => void refetch()
  const readEarlier = () => {
    if (!live?.data.more || isFetching) return
    // The known entries are read again with the earlier ones, so that both include every change.
    wantedOf.set(taskId, live.data.entries.length * GROWTH)
    retry()
  }
  return { entries: newest?.entries, more: newest?.more ?? false, readEarlier, error, isError, isFetching, retry }
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
