import { createTRPCClient, httpBatchLink, httpLink, splitLink, type TRPCClient, type TRPCLink } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import { observable } from '@trpc/server/observable'
import { createTRPCOptionsProxy, type TRPCOptionsProxy } from '@trpc/tanstack-react-query'
import { fetchInTime } from './fetchInTime'
import { queryClient } from './queryClient'

/** What goes with a change, and the version of the board that its answer names. */
export type Call = {
  signal?: AbortSignal
  context: { key?: string; userId?: number | undefined; ifMatch?: number | undefined; version?: number }
}

const noteVersion: TRPCLink<AnyTRPCRouter> =
  () =>
  ({ next, op }) =>
    observable((observer) =>
      next(op).subscribe({
        ...observer,
        next(answer) {
          const { response } = (answer.context ?? {}) as { response?: Response }
          const version = response?.headers.get('x-board-version')
          if (version) op.context.version = Number(version)
          observer.next(answer)
        },
      }),
    )

/** A key makes a change safe to repeat; what it was based on makes it safe against others. */
function headersOf({ key, userId, ifMatch }: Call['context']): Record<string, string> {
  return {
    ...(key !== undefined && { 'Idempotency-Key': key }),
    ...(userId !== undefined && { 'X-User-Id': String(userId) }),
    ...(ifMatch !== undefined && { 'If-Match': `"${ifMatch}"` }),
  }
}

// Mutations are not batched: a batch has one set of headers for all of its answers.
const client = createTRPCClient<AnyTRPCRouter>({
  links: [
    noteVersion,
    splitLink({
      condition: (op) => op.type === 'mutation',
      true: httpLink({ url: '/trpc', headers: ({ op }) => headersOf(op.context) }),
      false: httpBatchLink({ url: '/trpc', maxItems: 10, fetch: (url, init) => fetchInTime(url, init as RequestInit) }),
    }),
  ],
})

/** Both proxies answer to any path: which procedures there are, only the types of the domains' routers know. */
type Untyped = Record<string, Record<string, Record<string, unknown>>>
const calls = client as Untyped
const queries = createTRPCOptionsProxy<AnyTRPCRouter>({ client, queryClient }) as Untyped

type Api<Router extends AnyTRPCRouter> = TRPCClient<Router> & TRPCOptionsProxy<Router>

/** The procedures of one domain's router: `api.create.mutate(…)` calls one, `api.list.queryOptions()` makes a query of it. */
export function apiOf<Router extends AnyTRPCRouter>(domain: string): Api<Router> {
  const procedure = (name: string) =>
    new Proxy({}, { get: (_, verb: string) => (isCall(verb) ? calls : queries)[domain]?.[name]?.[verb] })
  return new Proxy({}, { get: (_, name: string) => procedure(name) }) as Api<Router>
}

const isCall = (verb: string) => verb === 'query' || verb === 'mutate'
