import { createTRPCClient, httpBatchLink, httpLink, splitLink, type TRPCClient, type TRPCLink } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import { observable } from '@trpc/server/observable'
import { fetchInTime } from './fetchInTime'

/** What goes with a change, and the version of the board that its answer names. */
export type Call = {
  signal?: AbortSignal
  context: { key?: string; userId?: number | undefined; ifMatch?: number | undefined; version?: number }
}

/** Unlike `crypto.randomUUID`, also over plain http. */
export const randomKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('')

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
export function headersOf({ key, userId, ifMatch }: Call['context']): Record<string, string> {
  return {
    ...(key !== undefined && { 'Idempotency-Key': key }),
    ...(userId !== undefined && { 'X-User-Id': String(userId) }),
    ...(ifMatch !== undefined && { 'If-Match': `"${ifMatch}"` }),
  }
}

const inTime = (url: string | URL | Request, init?: object) => fetchInTime(url, init)

/** For reads that the server's HTML has begun already, by their addresses. */
export const PRELOADED = { context: { alone: true } }

// Mutations are not batched: a batch has one set of headers for all of its answers.
export const client = createTRPCClient<AnyTRPCRouter>({
  links: [
    noteVersion,
    splitLink({
      condition: (op) => op.type === 'mutation',
      true: httpLink({ url: '/trpc', headers: ({ op }) => headersOf(op.context) }),
      false: splitLink({
        condition: ({ context }) => context.alone === true,
        true: httpLink({ url: '/trpc', fetch: inTime }),
        false: httpBatchLink({ url: '/trpc', maxItems: 10, fetch: inTime }),
      }),
    }),
  ],
})

/** A proxy answers to any path: which procedures there are, only the types of the domains' routers know. */
export type Untyped = Record<string, Record<string, Record<string, unknown>>>

/** The procedures of one domain's router, without a cache: `calls.login.mutate(…)`. */
export const callsOf = <Router extends AnyTRPCRouter>(domain: string) =>
  (client as Untyped)[domain] as unknown as TRPCClient<Router>
