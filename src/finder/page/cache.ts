import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useIsReachable } from '../../web/live/reachability'
import { trpc } from '../../web/queryClient'
import { refusalOf } from '../../web/refusal'

const FRESH_MS = 5_000

/** The server's results, once typing pauses. Until they arrive, `data` is for an earlier text and not `isCurrent`. */
export function useSearchResults(text: string) {
  const settled = useSettled(text)
  const isReachable = useIsReachable()
  const { data, isPlaceholderData, isFetching, isError } = useQuery({
    ...trpc.finder.find.queryOptions({ text: settled }),
    enabled: settled !== '' && isReachable,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    retry: (_, error) => waitMs(error) !== undefined,
    retryDelay: (_, error) => waitMs(error) ?? 0,
    gcTime: FRESH_MS,
  })
  return {
    data,
    isCurrent: settled === text && !isPlaceholderData,
    isSearching: text !== '' && (settled !== text || isFetching),
    failure: isReachable ? (isError ? 'Full search is unavailable' : undefined) : 'Offline',
  }
}

/** After too many searches, waits and retries. */
function waitMs(error: unknown): number | undefined {
  const refusal = refusalOf(error)
  return refusal?.code === 'TOO_MANY_REQUESTS' ? (refusal.retryAfter ?? 1) * 1_000 : undefined
}

const SETTLES_MS = 250

/** The text after a pause in typing; clearing counts at once. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const settling = setTimeout(() => setSettled(text), SETTLES_MS)
    return () => clearTimeout(settling)
  }, [text])
  return text === '' ? '' : settled
}
