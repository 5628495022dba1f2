import { queryOptions } from '@tanstack/react-query'
import type { ServerMessage } from '../../protocol'
import { isAboutTask } from '../../tasks/page/reducers'
import { client } from '../../web/client'
import { isAnnounced } from '../../web/live/messageHandlers'
import { queryClient } from '../../web/queryClient'
import type { Feed } from '../schema'

export type FeedOf = { boardId: number; taskId?: number }

export const readFeed = ({ boardId, taskId }: FeedOf, cursor?: number, signal?: AbortSignal): Promise<Feed> =>
  taskId === undefined
    ? client.activity.board.query({ boardId, cursor }, { signal })
    : client.activity.task.query({ taskId, cursor }, { signal })

/** The shown feed with its newest part replaced. Older activities stay unless there may be a gap between the two. */
export function withNewest(shown: Feed | undefined, newest: Feed): Feed {
  const end = newest.nextCursor
  if (!shown || end === null || !shown.activities.some(({ id }) => id >= end)) return newest
  const below = shown.activities.filter(({ id }) => id < end)
  return below.length === 0 ? newest : { activities: [...newest.activities, ...below], nextCursor: shown.nextCursor }
}

/** The shown feed with an older part below it, unless it has that part already. */
export function withOlder(shown: Feed, cursor: number, older: Feed): Feed {
  if (shown.nextCursor !== cursor) return shown
  return { activities: [...shown.activities, ...older.activities], nextCursor: older.nextCursor }
}

export const feedQuery = (of: FeedOf) => {
  const queryKey = ['activity', of] as const
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<Feed> => {
      const newest = await readFeed(of, undefined, signal)
      return withNewest(queryClient.getQueryData(queryKey), newest)
    },
    staleTime: 0,
  })
}

/** Whether there may be more to read: after a change, and after a join, before which changes may have been missed. */
export function isAbout(message: ServerMessage, { boardId, taskId }: FeedOf): boolean {
  if (!('boardId' in message.payload) || message.payload.boardId !== boardId) return false
  if (message.type === 'joined_board') return true
  return isAnnounced(message) && (taskId === undefined || isAboutTask(message, taskId) === true)
}
