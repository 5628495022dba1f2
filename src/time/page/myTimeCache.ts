import { useMemo } from 'react'
import { useViewer } from '../../auth/page/cache'
import type { Days } from '../../basics'
import type { TaskMessage } from '../../tasks/schema'
import { client } from '../../web/client'
import { EVERY_BOARD, liveKey, liveQuery } from '../../web/live/liveQuery'
import { isAnnounced } from '../../web/live/messageHandlers'
import { useLive } from '../../web/live/predictions'
import { useMayRead, useReadAgain } from '../../web/live/readAgain'
import { applyChange, type Change, type Reducers } from '../../web/live/reducers'
import { useEveryLiveMessage } from '../../web/live/socket'
import { queryClient } from '../../web/queryClient'
import { syncClock } from '../../web/serverClock'
import type { MyTime, TimeEntry, TimeEntryMessage } from '../schema'
import { ownZone } from './display'
import type { NameOf } from './reducers'
import { boardNameOf } from './timersCache'

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

const applyToMyTime = (time: MyTime, change: Change, userId: number, nameOf: NameOf): MyTime =>
  applyChange(reducersOf(userId, nameOf), time, change)

function reducersOf(userId: number, nameOf: NameOf): Reducers<MyTime, TimeEntryMessage | TaskMessage> {
  const put = (time: MyTime, { entry }: { entry: TimeEntry }) => (entry.userId === userId ? withEntry(time, entry, nameOf) : time)
  return {
    time_entry_added: put,
    time_entry_updated: put,
    time_entry_deleted: (time, { entryId }) => ({ ...time, entries: time.entries.filter(({ id }) => id !== entryId) }),
    task_updated: (time, { task: { id, title, status } }) => ({
      ...time,
      entries: time.entries.map((entry) => (entry.taskId === id ? { ...entry, task: title } : entry)),
      tasks: time.tasks.map((task) => (task.id === id ? { ...task, title, status } : task)),
    }),
  }
}

/** One that was moved to another week goes. */
function withEntry(time: MyTime, entry: TimeEntry, nameOf: NameOf): MyTime {
  const others = time.entries.filter(({ id }) => id !== entry.id)
  if (entry.day < time.from || entry.day > time.to) return { ...time, entries: others }
  const known = [...time.entries, ...time.tasks].find(({ boardId }) => boardId === entry.boardId)
  return { ...time, entries: [...others, { ...entry, board: nameOf(entry.boardId) ?? known?.board ?? '' }] }
}
