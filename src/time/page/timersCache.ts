import { boardsQuery } from '../../boards/page/cache'
import type { AnnouncedChange } from '../../protocol'
import { sessionQuery } from '../../users/page/viewer'
import { client } from '../../web/client'
import { syncClock } from '../../web/clock'
import { EVERY_BOARD, type Live, liveKey, liveQuery } from '../../web/live/liveQuery'
import { predicted, useLive } from '../../web/live/predictions'
import { type Change, isAnnounced } from '../../web/live/reducers'
import { mayRead, useReadAgain } from '../../web/live/rereads'
import { useEveryLiveMessage } from '../../web/live/socket'
import { queryClient } from '../../web/queryClient'
import type { Timer } from '../schema'
import { applyToTimers, inOrder, type NameOf } from './reducers'

const KEY = [EVERY_BOARD, 'timers'] as const

export const viewerNow = () => queryClient.getQueryData(sessionQuery().queryKey) ?? undefined

const apply = (timers: Timer[], change: Change) => applyToTimers(timers, change, viewerNow()?.id ?? 0, boardNameOf)

/** The viewer's timers on all boards; read again on focus, because the socket may have slept with the machine. */
const timersQuery = () => ({
  ...liveQuery({ key: KEY, read: readTimers, apply }),
  refetchOnWindowFocus: 'always' as const,
})

async function readTimers(signal: AbortSignal): Promise<Timer[]> {
  await mayRead(signal)
  return (await withClock(() => client.time.timers.query(undefined, { signal }))).timers
}

/** Sets the page's clock by the server's time in the answer. */
export async function withClock<Answer extends { now: string }>(read: () => Promise<Answer>): Promise<Answer> {
  const askedAt = Date.now()
  const answer = await read()
  syncClock(answer.now, (askedAt + Date.now()) / 2)
  return answer
}

const knownTimers = (): Timer[] | undefined => queryClient.getQueryData<Live<Timer[]>>(liveKey(...KEY))?.data

export const readTimersAgain = (): void => void queryClient.invalidateQueries({ queryKey: liveKey(...KEY) })

export const runningTimer = (but?: number): Timer | undefined =>
  predicted(liveKey(...KEY), apply)?.find(({ id, status }) => status === 'ACTIVE' && id !== but)

/** By the server's last answer, without changes in flight. */
export const hasEnded = (timerId: number): boolean => knownTimers()?.every(({ id }) => id !== timerId) ?? false

const boardNow = (boardId: number) => queryClient.getQueryData(boardsQuery().queryKey)?.find(({ id }) => id === boardId)
export const boardNameOf: NameOf = (boardId) => boardNow(boardId)?.name
export const isLockedNow = (boardId: number): boolean => boardNow(boardId)?.locked ?? false

export const useTimers = (): Timer[] => inOrder(useKnownTimers() ?? [])

export const useKnownTimers = (): Timer[] | undefined => useLive(timersQuery(), apply).data

export function useLiveTimers(): void {
  useEveryLiveMessage((message) => {
    if (isAnnounced(message) && mayChangeTimers(message)) readTimersAgain()
  })
  useReadAgain(readTimersAgain)
}

/** Messages that end timers without naming them; a restored board brings them back. */
const REMOVES_TIMERS = new Set(['task_deleted', 'board_deleted', 'board_member_removed'])

/** Boards that lost timers this way: restoring a task brings them back. */
const lostTimers = new Set<number>()

function mayChangeTimers({ type, payload: { boardId } }: AnnouncedChange): boolean {
  if (type === 'board_restored') return true
  if (type === 'new_task') return lostTimers.has(boardId)
  const hasTimers = knownTimers()?.some((timer) => timer.boardId === boardId) ?? false
  if (!REMOVES_TIMERS.has(type) || !hasTimers) return false
  lostTimers.add(boardId)
  return true
}
