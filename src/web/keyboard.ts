import { useEffectEvent, useLayoutEffect } from 'react'
import { LAYERS } from './pointer'

export const COMMAND_KEY = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'

/** Shortcuts of one key, inactive while typing or while a dialog is open. */
export function useKeys(actions: Readonly<Record<string, () => void>>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // The key may have closed the dialog meanwhile.
    if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    if (isCovered()) return
    const action = actions[nameOf(event)]
    if (!action) return
    event.preventDefault()
    action()
  })
  // Before painting: whoever sees a page may press its keys.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}

/** The same with and without Caps Lock; symbols such as ? name themselves. */
function nameOf({ key, shiftKey }: KeyboardEvent): string {
  if (!/^[a-z]$/i.test(key)) return key
  return shiftKey ? `Shift+${key.toLowerCase()}` : key.toLowerCase()
}

export const isCovered = () => document.querySelector(LAYERS) !== null

const FIELDS = 'input:not([type=checkbox]), textarea, select'

export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches(FIELDS))

/** Hides an input method's keys from the page. Safari ends the composition before its Enter, which then has key code 229. */
export function ignoreKeysOfComposition(): void {
  window.addEventListener('keydown', (event) => isOfComposition(event) && event.stopImmediatePropagation(), { capture: true })
}

const isOfComposition = ({ isComposing, keyCode }: KeyboardEvent) => isComposing || keyCode === 229
