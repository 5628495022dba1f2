import { type RegisteredRouter, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { LAYERS } from '../pointer'

/** For layers that Escape closes, unless another is above, which Radix notices only some moments after it has the focus. */
export function useOwnEscape(onEscape?: () => void) {
  const own = useRef<HTMLDivElement>(null)
  const isAbove = (layer: Element | null) =>
    layer !== null &&
    layer !== own.current &&
    ((own.current?.compareDocumentPosition(layer) ?? 0) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  const onEscapeKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof Element && isAbove(event.target.closest(LAYERS))) event.preventDefault()
    else onEscape?.()
  }
  return { ref: own, onEscapeKeyDown }
}

/** For dialogs: Radix returns the focus only to its own trigger. Recorded before the dialog's fields can take the focus. */
export function useReturnedFocus(open: boolean) {
  const [opened, setOpened] = useState<{ open: boolean; opener?: Element | null; around?: Element | null }>({ open: false })
  if (open !== opened.open) {
    const opener = openerOf(document.activeElement)
    setOpened(open ? { open, opener, around: opener?.closest(LAYERS) } : { ...opened, open })
  }
  return (event: Event) => {
    const isLost = document.activeElement === document.body
    // What was pressed may be gone since.
    const place = opened.opener?.isConnected ? opened.opener : isLost && opened.around
    if (!(place instanceof HTMLElement) || !place.isConnected) return
    event.preventDefault()
    place.focus()
  }
}

/** When the dialog closes, its menu is gone, but the menu's button is not. */
function openerOf(focused: Element | null): Element | null {
  const button = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return (button && document.getElementById(button)) || focused
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** How many history entries below it are of the same page, with less open on it. */
    depth?: number
  }
}

type Router = RegisteredRouter
type Location = Router['history']['location']

/** Open layers, by the depth of their history entries. */
const open = new Map<object, number>()
const top = () => Math.max(0, ...open.values())
const depthOf = ({ state }: Location) => state.depth ?? 0

/** For a new layer: its own history entry, or one left by a closed layer. */
export function nextEntry({ history }: Pick<Router, 'history'>) {
  const depth = depthOf(history.location)
  const isLeft = depth > top()
  return { replace: isLeft, state: { depth: isLeft ? depth : depth + 1 } }
}

/** Records what the current history entry opened; returns a function that ends that. */
function noteOpen(router: Router): () => void {
  const layer = {}
  open.set(layer, depthOf(router.history.location))
  return () => open.delete(layer)
}

/**
 * Gives a dialog a history entry, unless its address already is one, so that Back closes it. If it is closed otherwise, the entry
 * stays and Back skips it.
 */
export function useBackCloses(isOpen: boolean, close: () => void, isAddressed = false): void {
  const router = useRouter()
  const onBack = useEffectEvent(close)
  useEffect(() => {
    if (!isOpen) return
    if (isAddressed) return noteOpen(router)
    void router.navigate({ to: '.', search: true, hash: true, resetScroll: false, ...nextEntry(router) })
    const depth = depthOf(router.history.location)
    const forget = noteOpen(router)
    const stop = router.history.subscribe(({ location, action }) => {
      if (POPS.has(action.type) && depthOf(location) < depth) onBack()
    })
    return () => {
      stop()
      forget()
    }
  }, [isOpen, isAddressed, router])
}

const POPS = new Set(['BACK', 'GO'])

/** Call once: skips entries of closed layers, which a reload leaves too. */
export function watchBack(router: Router): void {
  let from = router.history.location
  router.history.subscribe(({ location, action }) => {
    const [before, after] = [depthOf(from), depthOf(location)]
    from = location
    // A typed address, or a link within the page, makes an entry without state, which looks like a step back.
    if (action.type !== 'BACK' || window.history.state === null) return
    if ([...open.values()].includes(before) && before > 0) return
    // From a closed layer: to below the last open one, or off the page. From elsewhere: to the page itself.
    const target = before > 0 ? top() - 1 : 0
    if (after > target && (before > 0 || open.size === 0)) router.history.go(target - after)
  })
}

export const isOnTop = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-toast]') !== null

/** For `onInteractOutside`: a press on a higher layer closes nothing. Radix asks when a toast is already off the page. */
export function ignoreOnTop(event: Event): void {
  if (isOnTop(event.target)) event.preventDefault()
}

/** A held key would press one after the other. */
export function goTo(place: HTMLElement | undefined): void {
  if (!place) return
  place.focus()
  const held = new AbortController()
  const stop = (event: KeyboardEvent) => (event.repeat ? event.preventDefault() : held.abort())
  window.addEventListener('keydown', stop, { capture: true, signal: held.signal })
}
