import { type RefObject, useEffect } from 'react'

const FOCUSABLE = ':is(a[href], button, input, select, textarea, [tabindex="0"]):not([disabled])'

type Step = { around: Element; before: Element | null }

/**
 * Within a dialog: where what has the focus goes, as by its own press, who works by keyboard goes on with what stands there now,
 * not from the dialog's beginning.
 */
export function NextFocus({ dialog }: { dialog: RefObject<HTMLElement | null> }) {
  useEffect(() => {
    const { current } = dialog
    if (!current) return
    let focused: Element | null = null
    let steps: Step[] = []
    const note = ({ target }: FocusEvent) => {
      focused = target instanceof Element ? target : null
      steps = stepsUp(focused, current)
    }
    const observer = new MutationObserver(() => {
      const { activeElement } = document
      if (!focused || focused.isConnected || (activeElement !== document.body && activeElement !== current)) return
      if (!focused.hasAttribute('data-by-pointer')) focusableIn(steps)?.focus()
      focused = null
    })
    current.addEventListener('focusin', note)
    observer.observe(current, { childList: true, subtree: true })
    return () => {
      current.removeEventListener('focusin', note)
      observer.disconnect()
    }
  }, [dialog])
  return null
}

function stepsUp(from: Element | null, end: Element): Step[] {
  const steps: Step[] = []
  for (let at = from; at && at !== end && at.parentElement; at = at.parentElement)
    steps.push({ around: at.parentElement, before: at.previousElementSibling })
  return steps
}

/** The next of what was beside it, or the one before it, or any around it. */
function focusableIn(steps: Step[]): HTMLElement | undefined {
  for (const { around, before } of steps) {
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
