import { isTRPCClientError } from '@trpc/client'
import type { RefusalBody } from '../protocol'
import type { ToastText } from './toast'

/** The server's refusal, or null for anything else, such as a lost connection. */
export function refusalOf(error: unknown): RefusalBody | null {
  // The server's error formatter puts a refusal's body into `data`.
  return isTRPCClientError(error) ? ((error.data as RefusalBody | undefined) ?? null) : null
}

/** The id under which the server logged its fault; undefined for any other failure. */
export function faultIdOf(error: unknown): string | undefined {
  if (error instanceof Error && 'requestId' in error && typeof error.requestId === 'string') return error.requestId
  return refusalOf(error)?.requestId
}

/** Why the server refused; `words` for its own faults and for no answer. */
export function reasonOr(error: unknown, words: string): string {
  const refusal = refusalOf(error)
  return (refusal?.code !== 'INTERNAL_SERVER_ERROR' && refusal?.message) || words
}

const TYPED_OR_TIMED = ['CONFLICT', 'BAD_REQUEST', 'TOO_MANY_REQUESTS', 'SERVICE_UNAVAILABLE', 'INSUFFICIENT_STORAGE']

/** Why the server refused the input; undefined if the input is not the reason. */
export function reasonIn(error: unknown): string | undefined {
  const refusal = refusalOf(error)
  return refusal && TYPED_OR_TIMED.includes(refusal.code) ? refusal.message : undefined
}

/** The server's reason if the user may not make the change, else `words`. */
export const deniedOr =
  (words: ToastText) =>
  (error: unknown): ToastText => {
    const refusal = refusalOf(error)
    return refusal?.code === 'FORBIDDEN' ? { title: 'Permission Denied', description: refusal.message } : words
  }
