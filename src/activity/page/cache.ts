import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ServerMessage } from '../../protocol'
import { isAboutTask } from '../../tasks/page/reducers'
import { client } from '../../web/client'
import { isAnnounced } from '../../web/live/reducers'
import { useEveryLiveMessage } from '../../web/live/socket'
import { isTemporary } from '../../web/live/temporaryIds'
import { queryClient } from '../../web/queryClient'
import { throttled } from '../../web/scheduling'
import type { Feed } from '../schema'

type FeedOf = { boardId: number; taskId?: number | undefined }

const readFeed = ({ boardId, taskId }: FeedOf, cursor?: number, signal?: AbortSignal): Promise<Feed> =>
  taskId === undefined
    ? client.activity.board.query({ boardId, cursor }, { signal })
    : client.activity.task.query({ taskId, cursor }, { signal })

/** Replaces the newest part of the feed. Older activities stay unless there may be a gap. */
export function withNewest(shown: Feed | undefined, newest: Feed): Feed {
  const end = newest.nextCursor
  if (!shown || end === null || !shown.activities.some(({ id }) => id >= end)) return newest
  const below = shown.activities.filter(({ id }) => id < end)
  return below.length === 0 ? newest : { activities: [...newest.activities, ...below], nextCursor: shown.nextCursor }
}

export function withOlder(shown: Feed, cursor: number, older: Feed): Feed {
  if (shown.nextCursor !== cursor) return shown
  return { activities: [...shown.activities, ...older.activities], nextCursor: older.nextCursor }
}

const feedQuery = (of: FeedOf) => {
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

/** Whether the feed may be outdated: after a change, or after joining the board again. */
export function mayChangeFeed(message: ServerMessage, { boardId, taskId }: FeedOf): boolean {
  if (!('boardId' in message.payload) || message.payload.boardId !== boardId) return false
  if (message.type === 'joined_board') return true
  return isAnnounced(message) && (taskId === undefined || isAboutTask(message, taskId) === true)
}

export function useFeed(of: FeedOf) {
  const { boardId, taskId } = of
  const query = useMemo(() => feedQuery({ boardId, taskId }), [boardId, taskId])
  // Nothing has happened yet to a task that the server does not know.
  const isKnown = taskId === undefined || !isTemporary(taskId)
  const { data, error, isError, isFetching, refetch } = useQuery({ ...query, enabled: isKnown })
  const more = useMutation({
    mutationFn: async (cursor: number) => ({ cursor, older: await readFeed(of, cursor) }),
    onSuccess: ({ cursor, older }) =>
      queryClient.setQueryData(query.queryKey, (shown) => shown && withOlder(shown, cursor, older)),
    meta: { failure: { title: 'Error', description: 'Could not load more activity. Please try again.' } },
  })
  const readAgain = useMemo(() => throttled(() => queryClient.invalidateQueries(query)), [query])
  useEveryLiveMessage((message) => mayChangeFeed(message, of) && readAgain())
  return {
    feed: data,
    error,
    isError,
    isFetching,
    retry: () => void refetch(),
    loadMore: () => data?.nextCursor && more.mutate(data.nextCursor),
    isLoadingMore: more.isPending,
  }
}
