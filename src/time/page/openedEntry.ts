import { useSyncExternalStore } from 'react'
import type { TimeEntry } from '../schema'

/** An entry whose form a notice has opened, from wherever the page is; the note is what is to be written. */
export type OpenedEntry = { entry: TimeEntry; focus: 'note' | undefined }

let opened: OpenedEntry | undefined
const watchers = new Set<() => void>()

function set(next: OpenedEntry | undefined) {
  opened = next
  for (const watcher of watchers) watcher()
}

export const openEntry = (entry: TimeEntry, focus?: 'note'): void => set({ entry, focus })
export const closeEntry = (): void => set(undefined)

export const useOpenedEntry = (): OpenedEntry | undefined =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => opened,
    () => undefined,
  )
