import { useMemo, useSyncExternalStore } from 'react'
import { refusalOf } from '../refusal'
import { createStore } from '../store'
import { drop, type Kept, keepRefused, keptOf, type Refused } from './storedChanges'

/** A change under way: `isLate` once it waits for a server that cannot be reached, `version` once it is answered or heard. */
export type Pending = Kept & { isLate: boolean; version?: number | undefined; isAnswered?: boolean }

const pending = createStore<readonly Pending[]>([])
export const { get: pendingChanges, set: setPending } = pending

export const updatePending = (key: string, changes: Partial<Pending>): void =>
  setPending(pendingChanges().map((change) => (change.key === key ? { ...change, ...changes } : change)))

export const removePending = (key: string): void => setPending(pendingChanges().filter((change) => change.key !== key))

/** What `read` makes of the pending changes; renders again only when that differs. `read` must be a stable function. */
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

export const useUnsent = (): number =>
  useSyncExternalStore(pending.watch, () => pendingChanges().filter(({ isLate, isAnswered }) => isLate && !isAnswered).length)

export const unsent = (): number => pendingChanges().filter(({ isAnswered }) => !isAnswered).length

/** Changes that were kept and then refused wait here for their author. */
const refused = createStore<readonly Refused[]>([])

export function addRefused(kept: Kept, title: string, text: string, error: unknown): void {
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
