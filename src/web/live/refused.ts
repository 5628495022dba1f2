import { useSyncExternalStore } from 'react'
import { refusalOf } from '../refusal'
import { type Kept, keepRefused, letGo, type Refused } from './kept'

/** Changes that were kept and then refused wait here for whoever made them. */
let refused: readonly Refused[] = []
const watchers = new Set<() => void>()

function set(next: readonly Refused[]) {
  refused = next
  for (const watcher of watchers) watcher()
}

export function putAside(
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
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => refused,
  )
