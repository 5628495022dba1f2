import { useSyncExternalStore } from 'react'

type Action = { label: string; run(): void }
export type ToastText = {
  title: string
  description?: string
  actions?: Action[]
  duration?: number
  faultId?: string | undefined
}
export type ToastEntry = ToastText & { id: number; variant: 'success' | 'destructive'; until: number }

const SHOWN_FOR = 5_000

/** For what says that something was updated. */
export const UPDATE_SHOWN_FOR = 2_000

/** How long a toast stays after the pointer has left it. */
const HELD_AT_LEAST = 1_000

export const LONG = 20_000

export const UNTIL_DISMISSED = Number.POSITIVE_INFINITY

/** One toast is shown, the last. One with an action waits below it for as long as it lasts. */
let entries: readonly ToastEntry[] = []
let lastId = 0
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function set(next: readonly ToastEntry[]) {
  entries = next
  for (const listener of listeners) listener()
  resumeToast()
}

export const pauseToast = (): void => clearTimeout(timer)

export function resumeToast(): void {
  clearTimeout(timer)
  const shown = entries.at(-1)
  if (!shown || shown.until === UNTIL_DISMISSED) return
  timer = setTimeout(dismissToast, Math.max(shown.until - Date.now(), HELD_AT_LEAST), shown.id)
}

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
    () => undefined,
  )

/** For a toast about something that was deleted while the user was writing in it. */
export const withCopy = (text: string) => ({
  description: 'What you were writing is not lost.',
  duration: UNTIL_DISMISSED,
  actions: [{ label: 'Copy my text', run: () => void copyText(text) }],
})

export async function copyText(text: string) {
  try {
    await navigator.clipboard.writeText(text)
    toast({ title: 'Copied' })
  } catch {
    // Without access to the clipboard the text is shown to be copied by hand.
    toast({ title: 'Your text', description: text, duration: UNTIL_DISMISSED })
  }
}
