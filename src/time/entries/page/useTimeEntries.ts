import { useQuery } from '@tanstack/react-query'
import { useWithForeseen } from '../../../boards/page/boardMutation'
import type { BoardChange } from '../../../protocol'
import { cursorAt, LISTED_AT_ONCE } from '../../../schema'
import { listQuery } from '../../../web/liveLists'
import { client } from '../../../web/trpc'
import { applyPartChange, type Part } from '../../timers/page/changes'
import type { TimeEntry } from '../schema'

/** So many of the newest entries are read at first, and so many times as many each time that one goes beyond them. */
const FIRST = 100
const FURTHER = 3

/** For each task, how many entries were asked for. */
const asked = new Map<number, number>()

async function readPart(taskId: number, signal: AbortSignal): Promise<Part> {
  const wanted = asked.get(taskId) ?? FIRST
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

/** For each task the same function, so that React sees nothing new in it. */
const reducers = new Map<number, (part: Part, change: BoardChange) => Part>()
function reducerOf(taskId: number) {
  const reducer = reducers.get(taskId) ?? ((part, change) => applyPartChange(taskId, part, change))
  reducers.set(taskId, reducer)
  return reducer
}

const entriesQuery = (boardId: number, taskId: number) =>
  listQuery<Part>(
    boardId,
    ['time', taskId],
    (signal) =>
      readPart(taskId, signal).catch((error: unknown) => {
        if (!signal.aborted) console.warn('The time entries could not be read', error)
        throw error
      }),
    reducerOf(taskId),
  )

/** The newest time entries of a task, as they will be when all that is in flight has arrived, and the way to those before. */
export function useTimeEntries(boardId: number, taskId: number) {
  const { data, isError, isFetching, refetch } = useQuery(entriesQuery(boardId, taskId))
  const part = useWithForeseen(boardId, data, reducerOf(taskId))
  const retry = () => void refetch()
  const goFurther = () => {
    if (!data?.more || isFetching) return
    // Those that are there are read with them: what changes meanwhile is heard of for all.
    asked.set(taskId, data.entries.length * FURTHER)
    retry()
  }
  return { entries: part?.entries, more: part?.more ?? false, goFurther, isError, isFetching, retry }
}
