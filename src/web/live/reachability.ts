import { isTRPCClientError } from '@trpc/client'
import { createStore } from '../createStore'
import { refusalOf } from '../refusal'

/** Whether the server answers calls; the socket has a state of its own. */
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

/** Lets those try again who wait for `nextTry`. */
export function tryAgain(): void {
  for (const again of waiting) again()
}

/** Resolves when it is time to try again: later after each failure, at once when the line is back. */
export const nextTry = (failed = failures): Promise<void> =>
  new Promise((resolve) => {
    const again = () => {
      waiting.delete(again)
      resolve()
    }
    waiting.add(again)
    setTimeout(again, waitAfter(failed))
  })

/** Between half and the whole of a wait that doubles, so that pages do not come back all at once. */
const waitAfter = (failed: number): number =>
  Math.min(MAX_WAIT_MS, MIN_WAIT_MS * 2 ** Math.max(0, failed - 1)) * (0.5 + Math.random() / 2)

/** An answer without JSON, or none at all. */
export class NoAnswer extends Error {}

const FAULT = 500
const TOO_MANY = 429

/** What a plain read answered instead; `requestId` of a fault. */
export class ReadRefused extends Error {
  readonly mayPass: boolean
  readonly requestId: string | undefined
  constructor(status: number, requestId: string | null) {
    super(`The server answered ${status}`)
    this.mayPass = status >= FAULT || status === TOO_MANY
    this.requestId = status >= FAULT ? (requestId ?? undefined) : undefined
  }
}

/** Nothing was refused: there was no answer, or one that says to come again. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof NoAnswer) return true
  const code = refusalOf(error)?.code
  return isTRPCClientError(error) && (code === undefined || code === 'SERVICE_UNAVAILABLE')
}

export const { get: isReachable, watch: watchConnection, use: useIsReachable } = reachable
