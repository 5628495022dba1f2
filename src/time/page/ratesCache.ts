import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { lazy } from '../../lazy'
import { client } from '../../web/client'
import { useLiveMessages } from '../../web/live/socket'
import { queryClient, restartRead } from '../../web/queryClient'
import { reasonOr } from '../../web/refusal'
import type { ToastText } from '../../web/toast'
import { LOADING_FAILED } from '../limits'
import { CURRENCY, type RateChange } from '../schema'

const ratesQuery = (boardId: number) =>
  queryOptions({
    queryKey: ['rates', boardId],
    queryFn: ({ signal }) => client.time.rates.query({ boardId }, { signal }),
    staleTime: 0,
    meta: { failure: { title: LOADING_FAILED } },
  })

export function useRates(boardId: number) {
  const { data: rates, error, isError, isFetching, refetch } = useQuery(ratesQuery(boardId))
  // A rate may have changed while the socket was away.
  const readAgain = (payload: { boardId: number }) => {
    if (payload.boardId === boardId) void queryClient.invalidateQueries(ratesQuery(boardId))
  }
  useLiveMessages({ rate_changed: readAgain, joined_board: readAgain, board_handed_over: readAgain })
  return { rates, error, isError, isFetching, retry: () => void refetch() }
}

const notSaved = (error: unknown): ToastText => ({
  title: 'Update Failed',
  description: reasonOr(error, 'Could not update the hourly rate. Please try again.'),
})

/** Not predicted: only the server knows the new amounts. */
export function useSetRate(boardId: number) {
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (change: RateChange) => client.time.setRate.mutate({ boardId, ...change }),
    onSuccess(rates) {
      const { queryKey } = ratesQuery(boardId)
      queryClient.setQueryData(queryKey, rates)
      restartRead(queryKey)
    },
    meta: { failure: notSaved },
  })
  const run = (change: RateChange) => mutateAsync(change).catch(() => undefined)
  return { run, isPending }
}

const amountFormat = lazy(() => new Intl.NumberFormat('en-US', { style: 'currency', currency: CURRENCY }))

export const amountText = (cents: number): string => amountFormat().format(cents / 100)
