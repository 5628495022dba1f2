import { queryOptions, useQuery } from '@tanstack/react-query'
import { useViewer } from '../../../auth/page/cache'
import { boardsQuery } from '../../../boards/page/cache'
import type { AnnouncedChange } from '../../../protocol'
import { isAnnounced } from '../../../web/live/messageHandlers'
import { usePredictedAnywhere } from '../../../web/live/optimisticMutation'
import type { Change } from '../../../web/live/reducers'
import { useEveryLiveMessage, useMayRead, useReadAgain } from '../../../web/live/socket'
import { queryClient } from '../../../web/queryClient'
import { syncClock } from '../../entries/page/useNow'
import type { Timer } from '../schema'
import { timersApi } from './api'
import { applyToTimers, inOrder, type NameOf } from './reducers'

/** The viewer's timers of all boards; read again on focus, for the socket may have slept with the machine. */
const timersQuery = () =>
  queryOptions({
    queryKey: ['timers'],
    queryFn: async ({ signal }) => {
      const askedAt = Date.now()
      const { now, timers } = await timersApi.timers.query(undefined, { signal })
      syncClock(now, (askedAt + Date.now()) / 2)
      return timers
    },
    refetchOnWindowFocus: 'always',
    networkMode: 'always',
  })

export const readTimersAgain = (): void => void queryClient.invalidateQueries(timersQuery())

export const runningTimer = (but?: number): Timer | undefined =>
  queryClient.getQueryData(timersQuery().queryKey)?.find(({ id, status }) => status === 'ACTIVE' && id !== but)

/** By what the server said, not by what is in flight. */
export const hasEnded = (timerId: number): boolean =>
  queryClient.getQueryData(timersQuery().queryKey)?.every(({ id }) => id !== timerId) ?? false

const nameOf: NameOf = (boardId) => queryClient.getQueryData(boardsQuery().queryKey)?.find(({ id }) => id === boardId)?.name

/** With what is in flight, the running timer first. */
export function useTimers(): Timer[] {
  const viewer = useViewer()
  const { data } = useQuery({ ...timersQuery(), enabled: useMayRead() })
  const inFlight = usePredictedAnywhere()
  const timers = inFlight.reduce((known, change) => applyToTimers(known, change, viewer.id, nameOf), data ?? [])
  return inOrder(timers)
}

/** For each board, the version up to which the timers have every change. */
const versions = new Map<number, number>()

/** Applies the answer to a mutation, unless it, or something newer, was announced already. */
export function applyAnswerToTimers(boardId: number, version: number | undefined, changes: Change[], userId: number): void {
  if (version === undefined || version <= (versions.get(boardId) ?? 0)) return
  for (const change of changes) applyToCache(change, userId)
}

function applyToCache(change: Change, userId: number) {
  const { queryKey } = timersQuery()
  queryClient.setQueryData(queryKey, (timers) => timers && applyToTimers(timers, change, userId, nameOf))
}

export function useLiveTimers(): void {
  const viewer = useViewer()
  useEveryLiveMessage((message) => {
    if (!isAnnounced(message)) return
    const { boardId, version } = message.payload
    versions.set(boardId, Math.max(version, versions.get(boardId) ?? 0))
    const mayChange = mayChangeTimers(message)
    applyToCache(message, viewer.id)
    // A read under way may be older than the message.
    const isOfTime = message.type.startsWith('time_entry_')
    if (mayChange || (isOfTime && queryClient.isFetching(timersQuery()) > 0)) readTimersAgain()
  })
  useReadAgain(readTimersAgain)
}

/** Messages that end timers without naming them; a restored board brings them back. */
const REMOVES_TIMERS = new Set(['task_deleted', 'board_deleted', 'board_member_removed'])

/** Boards that lost timers this way, which a restored task brings back. */
const lostTimers = new Set<number>()

function mayChangeTimers({ type, payload: { boardId } }: AnnouncedChange): boolean {
  if (type === 'board_restored') return true
  if (type === 'new_task') return lostTimers.has(boardId)
  const hasTimers = queryClient.getQueryData(timersQuery().queryKey)?.some((timer) => timer.boardId === boardId) ?? false
  if (!REMOVES_TIMERS.has(type) || !hasTimers) return false
  lostTimers.add(boardId)
  return true
}
