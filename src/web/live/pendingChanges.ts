import { useMemo, useSyncExternalStore } from 'react'
import { createStore } from '../createStore'
import { refusalOf } from '../refusal'
import { drop, type KeptChange, keepRefused, keptOf, type Refused } from './storedChanges'

/** A change under way. Its own message may name its `version` before the answer does. */
export type Pending = KeptChange & {
  /** Its form waits; the server cannot be reached; it overlays the data until that has its `version`. */
  state: 'new' | 'late' | 'answered'
  version?: number | undefined
}

const pending = createStore<readonly Pending[]>([])
export const { get: pendingChanges, set: setPending } = pending

export const updatePending = (key: string, changes: Partial<Pending>): void =>
  setPending(pendingChanges().map((change) => (change.key === key ? { ...change, ...changes } : change)))

export const removePending = (key: string): void => setPending(pendingChanges().filter((change) => change.key !== key))

/** The result of `read` over the pending changes; rerenders only if it differs. `read` must be a stable function. */
export function useOfPending<Value>(read: () => Value): Value {
  const known = useMemo(() => {
    let last: { pending: readonly Pending[]; value: Value } | undefined
    return () => {
      if (last?.pending !== pendingChanges()) last = { pending: pendingChanges(), value: read() }
      return last.value
    }
  }, [read])
  return useSyncExternalStore(pending.watch, known)
}

export const isLate = ({ state }: Pending): boolean => state === 'late'
export const isUnanswered = ({ state }: Pending): boolean => state !== 'answered'

export const useLate = (): number => useSyncExternalStore(pending.watch, () => pendingChanges().filter(isLate).length)
export const unanswered = (): number => pendingChanges().filter(isUnanswered).length

/** Whether the pending changes include those that earlier pages left. */
export const changesAdopted = createStore(false)

/** Changes that were kept and later refused, for their author to review. */
const refused = createStore<readonly Refused[]>([])

export function addRefused(kept: KeptChange, title: string, text: string, error: unknown): void {
  const reason = refusalOf(error)?.message ?? (error instanceof Error ? error.message : String(error))
  const change = { ...keptOf(kept), title, text, reason }
  keepRefused(change)
  refused.set([...refused.get(), change])
}

export function showRefused(found: Refused[]): void {
  const known = new Set(refused.get().map(({ key }) => key))
  refused.set([...refused.get(), ...found.filter(({ key }) => !known.has(key))])
}

export function dismissRefused({ key }: Refused): void {
  drop(key)
  refused.set(refused.get().filter((one) => one.key !== key))
}

export const useRefused = refused.use
