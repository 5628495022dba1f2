import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useEveryLiveMessage } from '../../web/live/socket'
import { queryClient } from '../../web/queryClient'
import { READ_EVERY, throttled } from '../../web/throttled'
import { type FeedOf, feedQuery, isAbout, readFeed, withOlder } from './cache'

export function useFeed(of: FeedOf) {
  const query = feedQuery(of)
  const { data, error, isError, isFetching, refetch } = useQuery(query)
  const more = useMutation({
    mutationFn: async (cursor: number) => ({ cursor, older: await readFeed(of, cursor) }),
    onSuccess: ({ cursor, older }) =>
      queryClient.setQueryData(query.queryKey, (shown) => shown && withOlder(shown, cursor, older)),
    meta: { failure: { title: 'Error', description: 'Could not load more activity. Please try again.' } },
  })
  const [readAgain] = useState(() => throttled(() => queryClient.invalidateQueries(query), READ_EVERY))
  useEveryLiveMessage((message) => isAbout(message, of) && readAgain())
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
