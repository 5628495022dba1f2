import { useSyncExternalStore } from 'react'

/** A value outside of components; `use` renders again when it changes, and gives the initial one to the server's HTML. */
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
