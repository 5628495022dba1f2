import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query'
import { refusalOf } from './refusal'
import { type ToastText, toast } from './toast'

type FailureText = ToastText | ((error: unknown) => ToastText | null)

export type MutationTexts<Answer = unknown, Variables = unknown> = {
  success?: ToastText | ((answer: Answer, variables: Variables) => ToastText)
  failure?: FailureText
}

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: MutationTexts
    queryMeta: { failure?: FailureText; apply?: unknown; kept?: true }
  }
}

let sessionEnded = () => false

/** Registers what to do when the server no longer knows the session; it returns false where nobody was signed in. */
export function onSessionEnd(leave: () => boolean): void {
  sessionEnded = leave
}

const mutationCache = new MutationCache({
  onSuccess: (answer, variables, _context, { meta }) => tellSuccess(meta, answer, variables),
  onError: (error, _variables, _context, { meta }) => tellRefusal(meta, error),
})

export function tellSuccess<Answer, Variables>(
  texts: MutationTexts<Answer, Variables> | undefined,
  answer: Answer,
  variables: Variables,
): void {
  const text = texts?.success
  if (text) toast({ variant: 'success', ...(typeof text === 'function' ? text(answer, variables) : text) })
}

export function tellRefusal(texts: Pick<MutationTexts, 'failure'> | undefined, error: unknown): void {
  console.warn('A change was refused', error)
  if (refusalOf(error)?.code === 'UNAUTHORIZED' && sessionEnded()) return
  const text = failureText(error, texts?.failure)
  const wait = waitText(error)
  if (wait || text) toast({ variant: 'destructive', title: 'Please Wait', ...text, ...wait })
}

export const failureText = (error: unknown, text: FailureText | undefined) => (typeof text === 'function' ? text(error) : text)

function waitText(error: unknown): { description: string } | null {
  const refusal = refusalOf(error)
  return refusal && WAIT.includes(refusal.code) ? { description: refusal.message } : null
}

const WAIT = ['TOO_MANY_REQUESTS', 'SERVICE_UNAVAILABLE', 'INSUFFICIENT_STORAGE']

const queryCache = new QueryCache({
  onError(error, { meta }) {
    console.warn('Something could not be read', error)
    const text = failureText(error, meta?.failure)
    if (text) toast({ variant: 'destructive', ...text })
  },
})

/** A read under way may be older than what makes one read again. TanStack begins it anew, but not the first of a query. */
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
    // The socket knows better than the browser whether the server can be reached.
    queries: { retry: false, staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})
