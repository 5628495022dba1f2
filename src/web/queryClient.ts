import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { Api } from '../protocol'
import { client } from './client'
import { type FailureText, failureText, leadsAway, type MutationTexts, tellRefusal, tellSuccess } from './mutationToasts'
import { faultIdOf } from './refusal'
import { toast } from './toast'

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: MutationTexts
    queryMeta: { failure?: FailureText; apply?: unknown; kept?: true }
  }
}

const mutationCache = new MutationCache({
  onSuccess: (answer, variables, _context, { meta }) => tellSuccess(meta, answer, variables),
  onError: (error, _variables, _context, { meta }) => tellRefusal(meta, error),
})

const queryCache = new QueryCache({
  onError(error, { meta }) {
    console.warn('Something could not be read', error)
    if (leadsAway(error)) return
    const text = failureText(meta?.failure, error)
    if (text) toast({ variant: 'destructive', faultId: faultIdOf(error), ...text })
  },
})

/** A running read may predate the reason to reread. TanStack restarts it, except a query's first. */
class Queries extends QueryClient {
  override invalidateQueries<Key extends QueryKey>(filters?: InvalidateQueryFilters<Key>, options?: InvalidateOptions) {
    void this.cancelQueries({ ...filters, type: 'active' }, { silent: true, revert: false })
    return super.invalidateQueries(filters, options)
  }
}

/** Queries are never stale by themselves: live messages keep them up to date. */
export const queryClient = new Queries({
  mutationCache,
  queryCache,
  defaultOptions: {
    // The socket knows better than the browser whether the server is reachable.
    queries: { retry: false, staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})

/** For an answer just edited locally: a running read may predate the change, so it restarts. */
export function restartRead(queryKey: QueryKey): void {
  if (queryClient.isFetching({ queryKey, exact: true }) > 0) void queryClient.invalidateQueries({ queryKey, exact: true })
}

/** Queries of the server's procedures: `useQuery(trpc.boards.list.queryOptions())`. */
export const trpc = createTRPCOptionsProxy<Api['router']>({ client, queryClient })
