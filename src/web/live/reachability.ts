import { isTRPCClientError } from '@trpc/client'
import { createStore } from '../createStore'
import { refusalOf } from '../refusal'

/** Whether the server answers calls; the socket has its own state. */
const reachable = createStore(true)
let failures = 0
const waiting = new Set<() => void>()

const MIN_WAIT_MS = 1_000
const MAX_WAIT_MS = 4_000

export function serverAnswered(): void {
  failures = 0
  reachable.set(true)
}

export function serverUnreachable(): void {
  failures += 1
  reachable.set(false)
}

/** Wakes everything that waits for `nextTry`. */
export function tryAgain(): void {
  for (const again of waiting) again()
}

/** Resolves when it is time to retry: later after each failure, at once when the connection is back. */
export const nextTry = (failed = failures): Promise<void> =>
  new Promise((resolve) => {
    const again = () => {
      waiting.delete(again)
      resolve()
    }
    waiting.add(again)
    setTimeout(again, waitAfter(failed))
  })

/** Between half and all of a doubling wait, so that pages do not all return at once. */
const waitAfter = (failed: number): number =>
  Math.min(MAX_WAIT_MS, MIN_WAIT_MS * 2 ** Math.max(0, failed - 1)) * (0.5 + Math.random() / 2)

/** An answer that is not JSON, or none at all. */
export class NoAnswer extends Error {}

const FAULT = 500
const TOO_MANY = 429

/** A plain read's error response; `requestId` if it was a fault. */
export class ReadRefused extends Error {
  readonly mayPass: boolean
  readonly requestId: string | undefined
  constructor(status: number, requestId: string | null) {
    super(`The server answered ${status}`)
    this.mayPass = status >= FAULT || status === TOO_MANY
    this.requestId = status >= FAULT ? (requestId ?? undefined) : undefined
  }
}

/** Not a refusal: there was no answer, or one that asks to retry. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof NoAnswer) return true
  const code = refusalOf(error)?.code
  return isTRPCClientError(error) && (code === undefined || code === 'SERVICE_UNAVAILABLE')
}

export const { get: isReachable, watch: watchConnection, use: useIsReachable } = reachable
