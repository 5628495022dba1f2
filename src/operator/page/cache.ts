import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { queryClient } from '../../web/queryClient'
import { refusalOf } from '../../web/refusal'
import type { ToastText } from '../../web/toast'

type Part<Row> = { rows: Row[]; nextCursor: number | null }
export type ReadPart<Row> = (given: { search: string; cursor?: number }) => Promise<Part<Row>>

const KEY = 'operator'

/** Read whenever it is shown: nothing tells of what others change. */
export function useListed<Row>(name: string, search: string, read: ReadPart<Row>) {
  const { data, ...query } = useInfiniteQuery({
    queryKey: [KEY, name, search],
    queryFn: ({ pageParam }) => read({ search, ...(pageParam && { cursor: pageParam }) }),
    initialPageParam: 0,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  return { rows: data?.pages.flatMap(({ rows }) => rows), ...query }
}

export const stateKey = [KEY, 'state']

/** A change, after which everything is read again. */
export const useOperate = <Given, Answer>(
  call: (given: Given) => Promise<Answer>,
  success: ToastText | ((answer: Answer, given: Given) => ToastText | null),
) =>
  useMutation({
    mutationFn: call,
    onSettled: () => void queryClient.invalidateQueries({ queryKey: [KEY] }),
    meta: {
      // The meta of mutations knows no types; these are what `mutationFn` takes and returns.
      success: success as ToastText | ((answer: unknown, given: unknown) => ToastText | null),
      failure: (error) => ({ title: 'Not Done', description: refusalOf(error)?.message ?? 'Please try again.' }),
    },
  })
