import { useMemo, useSyncExternalStore } from 'react'
import { refusalOf } from '../refusal'
import { type Kept, keepRefused, letGo, type Refused } from './storedChanges'

/** A change under way: `isLate` once it waits for a server that cannot be reached, `version` once it is answered or heard. */
export type Pending = Kept & { isLate: boolean; version?: number | undefined; isAnswered?: boolean }

let pending: readonly Pending[] = []
const watchers = new Set<() => void>()

export function setPending(next: readonly Pending[]): void {
  pending = next
  for (const watcher of watchers) watcher()
}

export const updatePending = (key: string, changes: Partial<Pending>): void =>
  setPending(pending.map((change) => (change.key === key ? { ...change, ...changes } : change)))

export const removePending = (key: string): void => setPending(pending.filter((change) => change.key !== key))

export const pendingChanges = (): readonly Pending[] => pending

function watchPending(watcher: () => void) {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** What `read` makes of the pending changes; renders again only when that differs. `read` must be a stable function. */
export function useOfPending<Value>(read: () => Value): Value {
  const known = useMemo(() => {
    let last: { pending: readonly Pending[]; value: Value } | undefined
    return () => {
      if (last?.pending !== pending) last = { pending, value: read() }
      return last.value
    }
  }, [read])
  return useSyncExternalStore(watchPending, known)
}

/** How many changes wait for the server to be reachable. */
export const useUnsent = (): number =>
  useSyncExternalStore(watchPending, () => pending.filter(({ isLate, isAnswered }) => isLate && !isAnswered).length)

export const unsent = (): number => pending.filter(({ isAnswered }) => !isAnswered).length

/** Changes that were kept and then refused wait here for their author. */
let refused: readonly Refused[] = []
const refusedWatchers = new Set<() => void>()

function set(next: readonly Refused[]) {
  refused = next
  for (const watcher of refusedWatchers) watcher()
}

export function addRefused(
  { key, name, boardId, input, id, at, isTimed, about }: Kept,
  title: string,
  text: string,
  error: unknown,
): void {
  const reason = refusalOf(error)?.message ?? (error instanceof Error ? error.message : String(error))
  const change = { key, name, boardId, input, id, at, isTimed, about, title, text, reason }
  keepRefused(change)
  set([...refused, change])
}

export function showRefused(found: Refused[]): void {
  const known = new Set(refused.map(({ key }) => key))
  set([...refused, ...found.filter(({ key }) => !known.has(key))])
}

export function dismissRefused({ key }: Refused): void {
  letGo(key)
  set(refused.filter((one) => one.key !== key))
}

export const useRefused = (): readonly Refused[] =>
  useSyncExternalStore(
    (watcher) => {
      refusedWatchers.add(watcher)
      return () => refusedWatchers.delete(watcher)
    },
    () => refused,
  )
