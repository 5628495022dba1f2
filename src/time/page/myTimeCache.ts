import { useMemo } from 'react'
import type { Days } from '../../days'
import type { TaskMessage } from '../../tasks/schema'
import { useViewer } from '../../users/page/viewer'
import { client } from '../../web/client'
import { ownZone } from '../../web/clock'
import { EVERY_BOARD, liveKey, liveQuery } from '../../web/live/liveQuery'
import { useLive } from '../../web/live/predictions'
import { applyChange, type Change, isAnnounced, type Reducers } from '../../web/live/reducers'
import { useMayRead, useReadAgain } from '../../web/live/rereads'
import { useEveryLiveMessage } from '../../web/live/socket'
import { queryClient } from '../../web/queryClient'
import type { MyTime, TimeEntry, TimeEntryMessage } from '../schema'
import type { NameOf } from './reducers'
import { boardNameOf, withClock } from './timersCache'

const readDays = (days: Days, signal: AbortSignal): Promise<MyTime> =>
  withClock(() => client.time.mine.query({ ...days, timeZone: ownZone() }, { signal }))

const readAgain = () => void queryClient.invalidateQueries({ queryKey: liveKey(EVERY_BOARD, 'mine') })

/** Messages that remove entries, or bring them back, without naming them: a new task may be a restored one. */
const MOVES_TIME = new Set(['task_deleted', 'new_task', 'board_deleted', 'board_restored', 'board_member_removed'])

/** The viewer's time of some days; read again when shown and on focus, because only open boards hear of new names. */
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

/** An entry that moves to another week leaves. */
function withEntry(time: MyTime, entry: TimeEntry, nameOf: NameOf): MyTime {
  const others = time.entries.filter(({ id }) => id !== entry.id)
  if (entry.day < time.from || entry.day > time.to) return { ...time, entries: others }
  const known = [...time.entries, ...time.tasks].find(({ boardId }) => boardId === entry.boardId)
  return { ...time, entries: [...others, { ...entry, board: nameOf(entry.boardId) ?? known?.board ?? '' }] }
}
