import { createTRPCClient, httpLink, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { type Api, VERSION_HEADER } from '../protocol'

/** Sent with a change. tRPC passes `context` through, and the answer's board version is stored there as `version`. */
export type Call = {
  signal?: AbortSignal
  context: { key?: string; ifMatch?: number | undefined; version?: number }
}

let owner: number | undefined

/** Whose page this is: in another tab, someone else may have signed in since. */
export const ownerOfPage = (): number | undefined => owner

export function setOwnerOfPage(userId: number): void {
  owner = userId
}

/** Unlike `crypto.randomUUID`, also over plain http. */
export const randomKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('')

const noteVersion: TRPCLink<Api['router']> =
  () =>
  ({ next, op }) =>
    observable((observer) =>
      next(op).subscribe({
        ...observer,
        next(answer) {
          const { response } = (answer.context ?? {}) as { response?: Response }
          const version = response?.headers.get(VERSION_HEADER)
          if (version) op.context.version = Number(version)
          observer.next(answer)
        },
      }),
    )

/** A key makes a change safe to repeat; its base revision makes it safe against others' changes. */
export function headersOf({ key, ifMatch }: Call['context'], userId?: number): Record<string, string> {
  return {
    ...(key !== undefined && { 'Idempotency-Key': key }),
    ...(userId !== undefined && { 'X-User-Id': String(userId) }),
    ...(ifMatch !== undefined && { 'If-Match': `"${ifMatch}"` }),
  }
}

/**
 * The server's procedures, without a cache: `client.tasks.update.mutate(…)`. Each call is its own request: the server's HTML
 * preloads some by address, and each answer has its own headers.
 */
export const client = createTRPCClient<Api['router']>({
  links: [
    noteVersion,
    httpLink({
      url: '/trpc',
      headers: ({ op }) => headersOf(op.context, op.type === 'mutation' ? owner : undefined),
      // A change may take longer than a read.
      fetch: (url, init) => (init?.method === 'GET' ? fetchInTime(url, init) : fetch(url, init)),
    }),
  ],
})

/** On a connection that a router dropped silently, the browser would wait for minutes. */
export const ANSWER_WITHIN_MS = 10_000

/** Like `fetch`, but rejects if no answer starts within ten seconds; its end may take longer. */
export async function fetchInTime(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new DOMException('No answer in time', 'TimeoutError')), ANSWER_WITHIN_MS)
  try {
    const signals = [late.signal, init.signal].filter((signal) => signal instanceof AbortSignal)
    return await fetch(input, { ...init, signal: AbortSignal.any(signals) })
  } finally {
    clearTimeout(timer)
  }
}
