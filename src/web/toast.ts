import { useSyncExternalStore } from 'react'

type Action = { label: string; run(): void }
export type ToastText = { title: string; description?: string; actions?: Action[]; duration?: number }
export type ToastEntry = ToastText & { id: number; variant: 'success' | 'destructive'; until: number }

/** product.md, section 9. */
const SHOWN_FOR = 5_000

/** A toast that one pointed at stays so long when one goes. */
const HELD_AT_LEAST = 1_000

/** The duration of what asks for a decision. */
export const LONG = 20_000

/** The duration of what must not go unread: it goes when it is dismissed. */
export const UNTIL_DISMISSED = Number.POSITIVE_INFINITY

/** One is shown at a time, the last (product.md, section 9). What offers an action waits below it as long as it may be shown. */
let entries: readonly ToastEntry[] = []
let lastId = 0
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function set(next: readonly ToastEntry[]) {
  entries = next
  for (const listener of listeners) listener()
  resumeToast()
}

/** Whoever points at it or has the focus in it is not hurried. */
export const pauseToast = (): void => clearTimeout(timer)

export function resumeToast(): void {
  clearTimeout(timer)
  const shown = entries.at(-1)
  if (!shown || shown.until === UNTIL_DISMISSED) return
  timer = setTimeout(dismissToast, Math.max(shown.until - Date.now(), HELD_AT_LEAST), shown.id)
}

/** Answers its number, by which it can be taken back. */
export function toast(text: ToastText & { variant?: ToastEntry['variant'] }): number {
  lastId += 1
  const now = Date.now()
  const waiting = entries.filter(({ until, actions }) => until === UNTIL_DISMISSED || (actions && until > now))
  set([...waiting, { variant: 'success' as const, ...text, id: lastId, until: now + (text.duration ?? SHOWN_FOR) }])
  return lastId
}

export const dismissToast = (id: number): void =>
  set(entries.filter((entry, index) => entry.id !== id && (index === entries.length - 1 || entry.until > Date.now())))

export const useToast = (): ToastEntry | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => entries.at(-1),
  )
