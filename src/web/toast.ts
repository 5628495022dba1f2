import { createStore } from './createStore'

type Action = { label: string; run(): void }
export type ToastText = {
  title: string
  description?: string
  actions?: Action[]
  duration?: number
  faultId?: string | undefined
}
/** `until` is known once it is shown. */
export type ToastEntry = ToastText & { id: number; variant: 'success' | 'destructive'; until?: number }

const SHOWN_FOR = 5_000

export const UPDATE_SHOWN_FOR = 2_000

/** How long a toast stays after the pointer has left it. */
const HELD_AT_LEAST = 1_000

export const LONG_SHOWN_FOR = 20_000

export const UNTIL_DISMISSED = Number.POSITIVE_INFINITY

/** Only the latest toast is shown. One with an action waits below it until its time is up. */
const toasts = createStore<readonly ToastEntry[]>([])
let lastId = 0
let timer: ReturnType<typeof setTimeout> | undefined
/** While hovered or focused it stays, and later ones wait. */
let isHeld = false

function set(next: readonly ToastEntry[]) {
  const now = Date.now()
  const shown = next.at(-1)
  toasts.set(shown ? next.with(-1, { ...shown, until: shown.until ?? now + (shown.duration ?? SHOWN_FOR) }) : next)
  if (!isHeld) releaseToast()
}

export function holdToast(): void {
  isHeld = true
  clearTimeout(timer)
}

export function releaseToast(): void {
  isHeld = false
  clearTimeout(timer)
  const { id = 0, until = 0 } = toasts.get().at(-1) ?? {}
  if (id === 0 || until === UNTIL_DISMISSED) return
  timer = setTimeout(dismissToast, Math.max(until - Date.now(), HELD_AT_LEAST), id)
}

const lasts = ({ until }: ToastEntry) => until === undefined || until > Date.now()

export function toast(text: ToastText & { variant?: ToastEntry['variant'] }): number {
  lastId += 1
  const next = { variant: 'success' as const, ...text, id: lastId }
  const entries = toasts.get()
  const shown = entries.at(-1)
  if (isHeld && shown) set([...entries.slice(0, -1).filter((entry) => entry.actions && lasts(entry)), next, shown])
  else set([...entries.filter((entry) => entry.until === UNTIL_DISMISSED || (entry.actions && lasts(entry))), next])
  return lastId
}

export function dismissToast(id: number): void {
  const entries = toasts.get()
  if (entries.at(-1)?.id === id) isHeld = false
  set(entries.filter((entry, index) => entry.id !== id && (index === entries.length - 1 || lasts(entry))))
}

export const useToast = (): ToastEntry | undefined => toasts.use().at(-1)

/** For a toast about something deleted while the user was typing in it. */
export const withCopy = (text: string, reason = '') => ({
  description: `${reason} Copy your text to keep it.`.trim(),
  duration: UNTIL_DISMISSED,
  actions: [{ label: 'Copy my text', run: () => void copyText(text) }],
})

/** Without access to the clipboard, shows the text to copy by hand. */
export async function copyText(text: string, copied = 'Copied'): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast({ title: copied, duration: UPDATE_SHOWN_FOR })
  } catch {
    toast({ variant: 'destructive', title: 'Copy Failed', description: text, duration: UNTIL_DISMISSED })
  }
}
