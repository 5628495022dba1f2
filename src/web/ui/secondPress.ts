/** A press this soon after another, at the same place, is the second of a double click. */
export const DOUBLE_PRESS_MS = 500
const NEAR_PX = 10
const PRESSES = ['pointerdown', 'mousedown', 'click', 'dblclick'] as const

/** What a press has closed no longer covers the page when the second of a double click comes: it is not meant for what is there. */
export function ignoreSecondPress(first: PointerEvent): void {
  const over = new AbortController()
  const ignore = (event: MouseEvent) => {
    const isByKey = event.type === 'click' && event.detail === 0
    if (isByKey || Math.hypot(event.clientX - first.clientX, event.clientY - first.clientY) > NEAR_PX) return over.abort()
    event.preventDefault()
    event.stopPropagation()
  }
  for (const type of PRESSES) window.addEventListener(type, ignore, { capture: true, signal: over.signal })
  setTimeout(() => over.abort(), DOUBLE_PRESS_MS)
}
