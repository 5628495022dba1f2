import { useQuery } from '@tanstack/react-query'
import { cursorAt, LISTED_AT_ONCE } from '../inputs'
import type { BoardChange } from '../live/messages'
import { listQuery } from '../web/lists'
import { useWithForeseen } from '../web/optimistic'
import { client } from '../web/trpc'
import { applyTimeChange } from './changes'
import type { TimeEntry } from './inputs'

async function readEntries(taskId: number, signal: AbortSignal): Promise<TimeEntry[]> {
  const entries: TimeEntry[] = []
  for (;;) {
    const last = entries.at(-1)
    const cursor = last && cursorAt(last.startTime, last.id)
    const next = await client.time.ofTask.query({ taskId, cursor }, { signal })
    entries.push(...next)
    if (next.length < LISTED_AT_ONCE) return entries
  }
}

/** For each task the same function, so that React sees nothing new in it. */
const reducers = new Map<number, (entries: TimeEntry[], change: BoardChange) => TimeEntry[]>()
function reducerOf(taskId: number) {
  const reducer = reducers.get(taskId) ?? ((entries, change) => applyTimeChange(taskId, entries, change))
  reducers.set(taskId, reducer)
  return reducer
}

const entriesQuery = (boardId: number, taskId: number) =>
  listQuery<TimeEntry[]>(
    boardId,
    ['time', taskId],
    (signal) =>
      readEntries(taskId, signal).catch((error: unknown) => {
        if (!signal.aborted) console.warn('The time entries could not be read', error)
        throw error
      }),
    reducerOf(taskId),
  )

/** The time entries of a task, the latest first, as they will be when all that is in flight has arrived. */
export function useTimeEntries(boardId: number, taskId: number) {
  const { data, isError, isFetching, refetch } = useQuery(entriesQuery(boardId, taskId))
  return { entries: useWithForeseen(boardId, data, reducerOf(taskId)), isError, isFetching, retry: () => void refetch() }
}
