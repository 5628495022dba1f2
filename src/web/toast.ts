import { useSyncExternalStore } from 'react'

export type ToastText = { title: string; description?: string; action?: { label: string; run(): void }; duration?: number }
export type ToastEntry = ToastText & { id: number; variant: 'success' | 'destructive' }

let entries: readonly ToastEntry[] = []
let lastId = 0
const listeners = new Set<() => void>()

function set(next: readonly ToastEntry[]) {
  entries = next
  for (const listener of listeners) listener()
}

/** product.md, section 9. */
const SHOWN_AT_ONCE = 1

export function toast(text: ToastText & { variant?: ToastEntry['variant'] }): void {
  lastId += 1
  set([...entries, { variant: 'success' as const, ...text, id: lastId }].slice(-SHOWN_AT_ONCE))
}

export const dismissToast = (id: number): void => set(entries.filter((entry) => entry.id !== id))

export const useToasts = (): readonly ToastEntry[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => entries,
  )
