import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLiveMessages } from '../web/live'
import { queryClient } from '../web/trpc'
import { type FeedOf, feedQuery, isAbout, readFeed, withOlder } from './cache'

/** A feed is read once in so many milliseconds, however much is done. */
const READ_EVERY = 2_000

/** What was done on a board or to a task; read when it is opened, and again as long as more is done. */
export function useFeed(of: FeedOf) {
  const query = feedQuery(of)
  const { data, isError, isFetching, refetch } = useQuery(query)
  const more = useMutation({
    mutationFn: async (cursor: number) => ({ cursor, older: await readFeed(of, cursor) }),
    networkMode: 'always',
    onSuccess: ({ cursor, older }) =>
      queryClient.setQueryData(query.queryKey, (shown) => shown && withOlder(shown, cursor, older)),
    meta: { failure: { title: 'Error', description: 'Could not load more activity. Please try again.' } },
  })
  const [readAgain] = useState(() => throttled(() => void queryClient.invalidateQueries(query), READ_EVERY))
  useLiveMessages((message) => isAbout(message, of) && readAgain())
  return {
    feed: data,
    isError,
    isFetching,
    retry: () => void refetch(),
    loadMore: () => data?.nextCursor && more.mutate(data.nextCursor),
    isLoadingMore: more.isPending,
  }
}

/** Does its work at once, but not again so soon: what is asked for meanwhile is done afterwards. */
function throttled(work: () => void, every: number): () => void {
  let last = -every
  let waiting = false
  return () => {
    if (waiting) return
    waiting = true
    setTimeout(
      () => {
        waiting = false
        last = performance.now()
        work()
      },
      Math.max(0, last + every - performance.now()),
    )
  }
}
