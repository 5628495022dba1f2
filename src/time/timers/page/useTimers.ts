import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useViewer } from '../../../auth/page/cache'
import { useForeseenAnywhere } from '../../../boards/page/boardMutation'
import { boardsQuery } from '../../../boards/page/cache'
import type { BoardChange, ServerMessage } from '../../../protocol'
import { useLiveMessages, useLiveStatus } from '../../../web/socket'
import { client, queryClient } from '../../../web/trpc'
import { inOrder } from '../../entries/page/display'
import { learnClock } from '../../entries/page/useNow'
import type { Timer } from '../../entries/schema'
import { applyTimerChange, type NameOf } from './changes'

/** The viewer's own timers, wherever their boards are. After sleep they are read again, for the line may have slept too. */
const timersQuery = () =>
  queryOptions({
    queryKey: ['timers'],
    queryFn: async ({ signal }) => {
      const askedAt = Date.now()
      const { now, timers } = await client.time.timers.query(undefined, { signal })
      learnClock(now, (askedAt + Date.now()) / 2)
      return timers
    },
    refetchOnWindowFocus: 'always',
    networkMode: 'always',
  })

export const readTimersAgain = (): void => void queryClient.invalidateQueries(timersQuery())

/** The viewer's timer that runs, as far as the page knows, but for one. */
export const runningTimer = (but?: number): Timer | undefined =>
  queryClient.getQueryData(timersQuery().queryKey)?.find(({ id, status }) => status === 'ACTIVE' && id !== but)

const nameOf: NameOf = (boardId) => queryClient.getQueryData(boardsQuery().queryKey)?.find(({ id }) => id === boardId)?.name

/** The viewer's own timers as they will be when all that is in flight has arrived, the one that runs first. */
export function useTimers(): Timer[] {
  const viewer = useViewer()
  const { data } = useQuery(timersQuery())
  const inFlight = useForeseenAnywhere()
  const timers = inFlight.reduce((known, change) => applyTimerChange(known, change, viewer.id, nameOf), data ?? [])
  return inOrder(timers)
}

/** For each board, the newest version that the timers heard of. */
const heard = new Map<number, number>()

/** Takes what the server answered to a change, unless the channel told of it already, or of something newer. */
export function answerTimers(boardId: number, version: number | undefined, changes: BoardChange[], userId: number): void {
  if (version === undefined || version <= (heard.get(boardId) ?? 0)) return
  for (const change of changes) take(change, userId)
}

function take(change: BoardChange, userId: number) {
  const { queryKey } = timersQuery()
  queryClient.setQueryData(queryKey, (timers) => timers && applyTimerChange(timers, change, userId, nameOf))
}

/** Keeps the viewer's timers true; for the frame of the page. */
export function useLiveTimers(): void {
  const viewer = useViewer()
  const status = useLiveStatus()
  useLiveMessages((message: ServerMessage) => {
    if (!('by' in message.payload)) return
    const { boardId, version } = message.payload
    heard.set(boardId, Math.max(version, heard.get(boardId) ?? 0))
    const sweeps = isSweeping(message)
    take(message as BoardChange, viewer.id)
    // What is being read may be older than what was just heard.
    const tellsOfTime = message.type.startsWith('time_entry_')
    if (sweeps || (tellsOfTime && queryClient.isFetching(timersQuery()) > 0)) readTimersAgain()
  })
  useEffect(() => {
    if (status === 'open') readTimersAgain()
  }, [status])
}

/** What takes timers along without naming them. */
const SWEEPING = new Set(['task_deleted', 'board_deleted', 'board_member_removed'])

/** Boards from which something was swept that had timers: a deleted task may come back. */
const swept = new Set<number>()

function isSweeping({ type, payload }: ServerMessage): boolean {
  if (!('boardId' in payload) || payload.boardId === undefined) return false
  const { boardId } = payload
  if (type === 'new_task') return swept.has(boardId)
  const hasTimers = queryClient.getQueryData(timersQuery().queryKey)?.some((timer) => timer.boardId === boardId) ?? false
  if (!SWEEPING.has(type) || !hasTimers) return false
  swept.add(boardId)
  return true
}
