import { useSyncExternalStore } from 'react'

/** A value outside components; `use` rerenders when it changes, and returns the initial one on the server. */
export function createStore<Value>(initial: Value) {
  let value = initial
  const watchers = new Set<() => void>()
  const get = (): Value => value

  function set(next: Value): void {
    if (Object.is(next, value)) return
    value = next
    for (const watcher of watchers) watcher()
  }

  function watch(watcher: () => void) {
    watchers.add(watcher)
    return () => {
      watchers.delete(watcher)
    }
  }

  const isWatched = (): boolean => watchers.size > 0

  return { get, set, watch, isWatched, use: (): Value => useSyncExternalStore(watch, get, () => initial) }
}
