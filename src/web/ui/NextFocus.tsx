import { type RefObject, useEffect } from 'react'
import { isTyping } from '../isTyping'
import { wasPressed } from '../presses'

const FOCUSABLE = ':is(a[href], button, input, select, textarea, [tabindex="0"]):not([disabled], [tabindex="-1"])'

type Place = { around: Element; before: Element | null }

/** Within a dialog: when the focused element is removed, keyboard users go on at its place, not at the dialog's start. */
export function NextFocus({ dialog }: { dialog: RefObject<HTMLElement | null> }) {
  useEffect(() => {
    const { current } = dialog
    if (!current) return
    let focused: Element | null = null
    let places: Place[] = []
    const note = (target: EventTarget | null) => {
      if (!(target instanceof Element) || target === current || !current.contains(target)) return
      focused = target
      places = placesUp(target, current)
    }
    const observer = new MutationObserver(() => {
      const { activeElement } = document
      if (!focused || focused.isConnected || (activeElement !== document.body && activeElement !== current)) return
      // What one types on would press a button.
      if (!wasPressed() && !isTyping(focused)) goTo(focusableIn(places))
      focused = null
    })
    const onFocus = ({ target }: FocusEvent) => note(target)
    note(document.activeElement)
    current.addEventListener('focusin', onFocus)
    observer.observe(current, { childList: true, subtree: true })
    return () => {
      current.removeEventListener('focusin', onFocus)
      observer.disconnect()
    }
  }, [dialog])
  return null
}

/** A key that is held down would press one after the other. */
function goTo(place: HTMLElement | undefined) {
  if (!place) return
  place.focus()
  const held = new AbortController()
  const stop = (event: KeyboardEvent) => (event.repeat ? event.preventDefault() : held.abort())
  window.addEventListener('keydown', stop, { capture: true, signal: held.signal })
}

function placesUp(from: Element, end: Element): Place[] {
  const places: Place[] = []
  for (let at = from; at !== end && at.parentElement; at = at.parentElement)
    places.push({ around: at.parentElement, before: at.previousElementSibling })
  return places
}

/** The next of what was beside it, or the one before it, or any around it. */
function focusableIn(places: Place[]): HTMLElement | undefined {
  for (const { around, before } of places) {
    if (!around.isConnected) continue
    const next = before ? before.nextElementSibling : around.firstElementChild
    for (const place of [next, before, around]) {
      const all = place ? [place, ...place.querySelectorAll(FOCUSABLE)] : []
      const found = all.find((element) => element.matches(FOCUSABLE) && element.checkVisibility())
      if (found instanceof HTMLElement) return found
    }
  }
  return undefined
}
