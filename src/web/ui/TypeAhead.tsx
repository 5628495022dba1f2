import { useLayoutEffect } from 'react'
import { isTyping } from '../isTyping'
import { LAYERS } from '../layers'
import { isOnTop } from './pressOutside'

const AT_MOST_MS = 10_000
const STEPS = ['Enter', 'Tab', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']

const topLayer = () => [...document.querySelectorAll(LAYERS)].at(-1)

let stopHolding = () => {}

/**
 * The fallback of what opens for whoever types on at once: no key is a shortcut of the page meanwhile, and what was typed is put
 * into the field that gets the focus.
 */
export function TypeAhead() {
  useLayoutEffect(hold, [])
  return null
}

function hold() {
  stopHolding()
  const held = new AbortController()
  const { signal } = held
  let typed = ''
  let hasLoaded = false
  stopHolding = () => held.abort()
  function keep(event: KeyboardEvent) {
    const { key, target, ctrlKey, metaKey, altKey } = event
    if (key === 'Escape' || isTyping(target)) return stopHolding()
    if (ctrlKey || metaKey || altKey) return
    if (key.length === 1) typed += key
    else if (key === 'Backspace') typed = typed.slice(0, -1)
    else if (!STEPS.includes(key)) return
    event.preventDefault()
    event.stopPropagation()
  }
  function give({ target }: FocusEvent) {
    if (!(target instanceof Element && target.closest(LAYERS))) return
    // A popover has the focus before what it shows has loaded.
    if (!isTyping(target) && !target.closest('[role=menu]') && !hasLoaded) return
    stopHolding()
    // Not before what gives the focus has selected what is there. Nothing else changes a field as its user would.
    if (isTyping(target) && typed) queueMicrotask(() => document.execCommand('insertText', false, typed))
  }
  window.addEventListener('keydown', keep, { capture: true, signal })
  window.addEventListener('focusin', give, { signal })
  window.addEventListener('pointerdown', ({ target }) => isOnTop(target) || stopHolding(), { capture: true, signal })
  const timer = setTimeout(stopHolding, AT_MOST_MS)
  signal.addEventListener('abort', () => clearTimeout(timer))
  const below = topLayer()
  return () => {
    hasLoaded = true
    // Nothing has come where it could not be loaded, or was closed before: the keys are the page's again.
    requestAnimationFrame(() => topLayer() === below && held.abort())
  }
}
