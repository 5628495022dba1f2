import { useMemo } from 'react'
import { useViewer } from '../../../auth/page/cache'
import type { Days } from '../../../basics'
import { client } from '../../../web/client'
import { EVERY_BOARD, liveKey, liveQuery } from '../../../web/live/liveQuery'
import { isAnnounced } from '../../../web/live/messageHandlers'
import { useLive } from '../../../web/live/predictions'
import { useMayRead, useReadAgain } from '../../../web/live/readAgain'
import type { Change } from '../../../web/live/reducers'
import { useEveryLiveMessage } from '../../../web/live/socket'
import { queryClient } from '../../../web/queryClient'
import { syncClock } from '../../../web/serverClock'
import { ownZone } from '../../entries/page/display'
import { boardNameOf } from '../../timers/page/useTimers'
import type { MyTime } from '../schema'
import { applyToMyTime } from './reducers'

async function readDays(days: Days, signal: AbortSignal): Promise<MyTime> {
  const askedAt = Date.now()
  const time = await client.time.mine.query({ ...days, timeZone: ownZone() }, { signal })
  syncClock(time.now, (askedAt + Date.now()) / 2)
  return time
}

const readAgain = () => void queryClient.invalidateQueries({ queryKey: liveKey(EVERY_BOARD, 'mine') })

/** Messages after which time is gone, or back, without being named; a task is told only where it is restored. */
const MOVES_TIME = new Set(['task_deleted', 'new_task', 'board_deleted', 'board_restored', 'board_member_removed'])

/** One's own time of some days; read again when shown and on focus, for new names are told to open boards alone. */
export function useMyTime({ from, to }: Days) {
  const { id } = useViewer()
  const apply = useMemo(() => (time: MyTime, change: Change) => applyToMyTime(time, change, id, boardNameOf), [id])
  const query = {
    ...liveQuery({ key: [EVERY_BOARD, 'mine', from], read: (signal) => readDays({ from, to }, signal), apply }),
    refetchOnMount: 'always' as const,
    refetchOnWindowFocus: 'always' as const,
    enabled: useMayRead(),
  }
  useEveryLiveMessage((message) => {
    if (isAnnounced(message) && MOVES_TIME.has(message.type)) readAgain()
  })
  useReadAgain(readAgain)
  return useLive(query, apply)
}
