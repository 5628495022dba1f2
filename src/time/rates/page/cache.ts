import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useLiveMessages } from '../../../web/socket'
import type { ToastText } from '../../../web/toast'
import { client, queryClient, refusalOf } from '../../../web/trpc'
import { LOADING_FAILED } from '../../entries/schema'
import type { RateChange } from '../schema'

const ratesQuery = (boardId: number) =>
  queryOptions({
    queryKey: ['rates', boardId],
    queryFn: ({ signal }) => client.time.rates.query({ boardId }, { signal }),
    staleTime: 0,
    meta: { failure: { title: LOADING_FAILED } },
  })

/** The hourly rates of a board that the viewer may see. */
export function useRates(boardId: number) {
  const { data: rates, isError, isFetching, refetch } = useQuery(ratesQuery(boardId))
  // Joined again, some may have been missed.
  useLiveMessages(({ type, payload }) => {
    if ((type === 'rate_changed' || type === 'joined_board') && payload.boardId === boardId) void refetch()
  })
  return { rates, isError, isFetching, retry: () => void refetch() }
}

const notSaved = (error: unknown): ToastText => ({
  title: 'Update Failed',
  description: refusalOf(error)?.message || 'Could not update the hourly rate. Please try again.',
})

/** Not foreseen: what it does to amounts only the server knows. */
export function useSetRate(boardId: number) {
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (change: RateChange) => client.time.setRate.mutate({ boardId, ...change }),
    onSuccess: (rates) => queryClient.setQueryData(ratesQuery(boardId).queryKey, rates),
    meta: { success: { title: 'Hourly Rate Updated' }, failure: notSaved },
  })
  /** Resolves to undefined where it was refused: that has been said by then. */
  const run = (change: RateChange) => mutateAsync(change).catch(() => undefined)
  return { run, isPending }
}
