import { useEffect, useEffectEvent } from 'react'
import { sessionQuery, useViewer } from '../../auth/page/cache'
import { WATCHED_MAX } from '../../boards/basics'
import type { AnnouncedChange } from '../../protocol'
import { ownZone } from '../../time/page/clock'
import { client, PRELOADED } from '../../web/client'
import { EVERY_BOARD, type Live, liveKey, liveQuery } from '../../web/live/liveQuery'
import { isAnnounced } from '../../web/live/messageHandlers'
import { useLive } from '../../web/live/predictions'
import { useReadAgain } from '../../web/live/readAgain'
import type { Change } from '../../web/live/reducers'
import { send, useEveryLiveMessage, useLiveMessages } from '../../web/live/socket'
import { onOpen } from '../../web/live/whenLive'
import { pageCookie, setPageCookie } from '../../web/pageCookie'
import { queryClient } from '../../web/queryClient'
import { throttled } from '../../web/throttled'
import type { ActiveBoard, Today } from '../schema'
import { applyToToday } from './reducers'

const KEY = [EVERY_BOARD, 'today'] as const

/** By which the server knows what the page will ask for at its next start. */
const noteZone = (zone: string) => {
  if (pageCookie('zone') !== encodeURIComponent(zone)) setPageCookie('zone', encodeURIComponent(zone))
  return zone
}

const viewerId = () => queryClient.getQueryData(sessionQuery().queryKey)?.id ?? 0
const apply = (today: Today, change: Change) => applyToToday(today, change, viewerId())

/** Read again on focus, for a hidden page does not ask, and the day may be another. */
export const todayQuery = () => ({
  ...liveQuery({
    key: KEY,
    read: (signal) => client.today.get.query({ timeZone: noteZone(ownZone()) }, { signal, ...PRELOADED }),
    apply,
  }),
  refetchOnWindowFocus: 'always' as const,
})

const known = (): Today | undefined => queryClient.getQueryData<Live<Today>>(liveKey(...KEY))?.data

export const readTodayAgain = () => queryClient.invalidateQueries({ queryKey: liveKey(...KEY) })

export function useToday() {
  const { id } = useViewer()
  const result = useLive(todayQuery(), apply)
  useEveryLiveMessage((message) => {
    if (isAnnounced(message) && mayBring(message, id)) void readTodayAgain()
  })
  useReadAgain(() => void readTodayAgain())
  useWatchedBoards(result.live?.data.boards)
  return result
}

const CHANGES_BOARDS = new Set(['board_deleted', 'board_restored', 'board_member_added', 'board_member_removed'])

/** Messages that say too little of what they bring or take. */
function mayBring({ type, payload }: AnnouncedChange, userId: number): boolean {
  if (type === 'task_assignee_added') return payload.user.id === userId && !known()?.tasks.some(({ id }) => id === payload.taskId)
  return CHANGES_BOARDS.has(type)
}

const AT_MOST_EVERY_MS = 3_000

const readSoon = throttled(async () => {
  if (document.visibilityState === 'visible') await readTodayAgain()
}, AT_MOST_EVERY_MS)

/** Hears, a moment later, that others changed one of these boards, without having it open. */
function useWatchedBoards(boards: ActiveBoard[] | undefined) {
  useLiveMessages({ boards_changed: readSoon })
  const watch = useEffectEvent(() => {
    const watched = boards?.slice(0, WATCHED_MAX).map(({ id, version }): [number, number] => [id, version]) ?? []
    send({ type: 'watch_boards', payload: { boards: watched } })
  })
  useEffect(() => (boards ? onOpen(() => watch()) : undefined), [boards])
  useEffect(() => () => send({ type: 'watch_boards', payload: { boards: [] } }), [])
}
