import { useRef } from 'react'
import { LAYERS } from '../presses'

/** For what Escape closes, but not where one has opened above it: Radix tells that apart only some moments after the focus went there. */
export function useOwnEscape() {
  const own = useRef<HTMLDivElement>(null)
  const isAbove = (layer: Element | null) =>
    layer !== null &&
    layer !== own.current &&
    ((own.current?.compareDocumentPosition(layer) ?? 0) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  const onEscapeKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof Element && isAbove(event.target.closest(LAYERS))) event.preventDefault()
  }
  return { ref: own, onEscapeKeyDown }
}
