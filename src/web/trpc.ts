import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { AppRouter } from '../site/router'
import { client } from './client'
import { queryClient } from './queryClient'

/** Queries of the server's procedures: `useQuery(trpc.boards.list.queryOptions())`. */
export const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient })
