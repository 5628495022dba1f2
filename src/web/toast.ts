import { useSyncExternalStore } from 'react'

type Action = { label: string; run(): void }
export type ToastText = { title: string; description?: string; actions?: Action[]; duration?: number }
export type ToastEntry = ToastText & { id: number; variant: 'success' | 'destructive' }

/** product.md, section 9. */
const SHOWN_FOR = 5_000

/** The duration of what asks for a decision. */
export const LONG = 20_000

/** The duration of what must not go unread: it waits below what comes later, and goes when it is dismissed. */
export const UNTIL_DISMISSED = Number.POSITIVE_INFINITY

/** One is shown at a time, the last (product.md, section 9). */
let entries: readonly ToastEntry[] = []
let lastId = 0
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function set(next: readonly ToastEntry[]) {
  entries = next
  for (const listener of listeners) listener()
  releaseToast()
}

/** Whoever points at it or has the focus in it is not hurried. */
export const holdToast = (): void => clearTimeout(timer)

export function releaseToast(): void {
  clearTimeout(timer)
  const shown = entries.at(-1)
  const duration = shown?.duration ?? SHOWN_FOR
  if (shown && duration !== UNTIL_DISMISSED) timer = setTimeout(dismissToast, duration, shown.id)
}

export function toast(text: ToastText & { variant?: ToastEntry['variant'] }): void {
  lastId += 1
  const waiting = entries.filter(({ duration }) => duration === UNTIL_DISMISSED)
  set([...waiting, { variant: 'success' as const, ...text, id: lastId }])
}

export const dismissToast = (id: number): void => set(entries.filter((entry) => entry.id !== id))

export const useToast = (): ToastEntry | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => entries.at(-1),
  )
