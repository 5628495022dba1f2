import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { createTRPCClient, httpBatchLink, httpLink, isTRPCClientError, splitLink, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { AppRouter } from '../site/router'
import { type ToastText, toast } from './toast'

type FailureWords = ToastText | ((error: unknown) => ToastText | null)

/** What a mutation says when it is over; shown by the one handler below. */
type MutationWords = {
  success?: ToastText | ((answer: unknown, variables: unknown) => ToastText)
  failure?: FailureWords
}

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: MutationWords
    /** What a query says that could not be read. */
    queryMeta: { failure?: FailureWords; apply?: unknown }
  }
}

export type Refused = { message: string; code: string; requiresUpgrade?: boolean; issues?: { path: string; message: string }[] }

/** The server's refusal, or null for what is none, such as a lost connection. */
export function refusalOf(error: unknown): Refused | null {
  if (!isTRPCClientError<AppRouter>(error) || !error.data) return null
  return error.data
}

/** Why the server refused what was typed; undefined where that is not the reason. */
export function reasonIn(error: unknown): string | undefined {
  const refused = refusalOf(error)
  return refused && ['CONFLICT', 'BAD_REQUEST', 'TOO_MANY_REQUESTS'].includes(refused.code) ? refused.message : undefined
}

/** What a failed change says: where it was not allowed, why; else the words given (board-page.md, section 6). */
export const deniedOr =
  (words: ToastText) =>
  (error: unknown): ToastText => {
    const refused = refusalOf(error)
    return refused?.code === 'FORBIDDEN' ? { title: 'Permission Denied', description: refused.message } : words
  }

const mutationCache = new MutationCache({
  onSuccess(answer, variables, _context, { meta }) {
    const words = meta?.success
    if (words) toast({ variant: 'success', ...(typeof words === 'function' ? words(answer, variables) : words) })
  },
  onError(error, _variables, _context, { meta }) {
    console.warn('A change was refused', error)
    if (refusalOf(error)?.code === 'UNAUTHORIZED' && wasSignedIn()) return expire()
    const words = wordsFor(error, meta?.failure)
    const wait = tooOften(error)
    if (wait || words) toast({ variant: 'destructive', title: 'Please Wait', ...words, ...wait })
  },
})

const wordsFor = (error: unknown, words: FailureWords | undefined) => (typeof words === 'function' ? words(error) : words)

/** Whatever was tried, the server's words tell how long to wait. */
function tooOften(error: unknown): { description: string } | null {
  const refused = refusalOf(error)
  return refused?.code === 'TOO_MANY_REQUESTS' ? { description: refused.message } : null
}

const wasSignedIn = () => !!queryClient.getQueryData(trpc.auth.session.queryKey())
const expire = () => window.location.assign('/login?error=session_expired')

const queryCache = new QueryCache({
  onError(error, { meta }) {
    console.warn('Something could not be read', error)
    const words = wordsFor(error, meta?.failure)
    if (words) toast({ variant: 'destructive', ...words })
  },
})

/** Reads are not retried, not polled and never go stale: live messages keep them true (product.md, section 7). */
export const queryClient = new QueryClient({
  mutationCache,
  queryCache,
  defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false } },
})

/** What a call of a mutation takes along, to learn from it which version of its board it made. */
export const stamp = (): { context: { version?: number } } => ({ context: {} })
export type Stamp = ReturnType<typeof stamp>

const noteVersion: TRPCLink<AppRouter> =
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

// Mutations go one by one: a batch has one set of headers for all of its answers.
export const client = createTRPCClient<AppRouter>({
  links: [
    noteVersion,
    splitLink({
      condition: (op) => op.type === 'mutation',
      true: httpLink({ url: '/trpc' }),
      false: httpBatchLink({ url: '/trpc', maxItems: 10 }),
    }),
  ],
})
export const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient })
