import { type RegisteredRouter, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { LAYERS } from '../pointer'

/** For what Escape closes, but not where one has opened above it: Radix tells that apart only some moments after the focus went there. */
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

/** For a dialog: Radix returns the focus only to its own trigger. Noted before the dialog's fields can take the focus. */
export function useReturnedFocus(open: boolean) {
  const [opened, setOpened] = useState<{ open: boolean; opener: Element | null }>({ open: false, opener: null })
  if (open !== opened.open) setOpened({ open, opener: open ? openerOf(document.activeElement) : opened.opener })
  return (event: Event) => {
    const { opener } = opened
    if (!(opener instanceof HTMLElement) || !opener.isConnected) return
    event.preventDefault()
    opener.focus()
  }
}

/** A menu is gone when the dialog closes, and its button is not. */
function openerOf(focused: Element | null): Element | null {
  const button = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return (button && document.getElementById(button)) || focused
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** How many entries of the history lie below it that are of the same page, with less open on it. */
    depth?: number
  }
}

type Router = RegisteredRouter
type Location = Router['history']['location']

/** What lies over the page, by the depth of its entry in the history. */
const open = new Map<object, number>()
const top = () => Math.max(0, ...open.values())
const depthOf = ({ state }: Location) => state.depth ?? 0

/** For something that opens: an entry of its own, or that of something closed, which stays in the history until then. */
export function nextEntry({ history }: Pick<Router, 'history'>) {
  const depth = depthOf(history.location)
  const isLeft = depth > top()
  return { replace: isLeft, state: { depth: isLeft ? depth : depth + 1 } }
}

/** Notes what the present entry of the history opened. Answers what ends that. */
export function noteOpen(router: Router): () => void {
  watch(router)
  const layer = {}
  open.set(layer, depthOf(router.history.location))
  return () => open.delete(layer)
}

/** Gives a dialog an entry in the history, so that Back closes it. Closed otherwise, its entry stays, and Back passes it by. */
export function useBackCloses(isOpen: boolean, close: () => void): void {
  const router = useRouter()
  const onBack = useEffectEvent(close)
  useEffect(() => {
    if (!isOpen) return
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
  }, [isOpen, router])
}

const POPS = new Set(['BACK', 'GO'])

let watched: Router | undefined

function watch(router: Router): void {
  if (watched === router) return
  watched = router
  let from = router.history.location
  router.history.subscribe(({ location, action }) => {
    const [before, after] = [depthOf(from), depthOf(location)]
    from = location
    // An address that was typed, or a link within the page, makes an entry without state, and looks like a step back, too.
    if (action.type !== 'BACK' || window.history.state === null) return
    if ([...open.values()].includes(before) && before > 0) return
    // From a closed one: to what is below the last that is open, or off the page. From elsewhere: to the page itself.
    const target = before > 0 ? top() - 1 : 0
    if (after > target && (before > 0 || open.size === 0)) router.history.go(target - after)
  })
}

export const isOnTop = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-toast]') !== null

/** For `onInteractOutside`: a press on what lies on top closes nothing. Radix asks when a toast is out of the page already. */
export function ignoreOnTop(event: Event): void {
  if (isOnTop(event.target)) event.preventDefault()
}
