import { type MouseEvent, useEffect, useEffectEvent, useRef } from 'react'
import { createPortal } from 'react-dom'
import { Spinner } from './Spinner'
import { DOUBLE_PRESS_MS } from './secondPress'
import { TypeAhead } from './TypeAhead'

/** The fallback of an overlay: says soon that it comes, but not where it comes at once, and keeps keys and presses from what is below. */
export function Opening({ onClose }: { onClose(): void }) {
  const openedAt = useRef(0)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onClose()
  })
  useEffect(() => {
    openedAt.current = performance.now()
    const listener = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listener, { capture: true })
    return () => window.removeEventListener('keydown', listener, { capture: true })
  }, [])
  const press = ({ timeStamp }: MouseEvent) => {
    if (timeStamp - openedAt.current > DOUBLE_PRESS_MS) onClose()
  }
  return createPortal(
    <>
      <TypeAhead />
      <button
        type="button"
        tabIndex={-1}
        aria-label="Do not open it"
        data-opening
        onClick={press}
        className="pointer-events-auto fixed inset-0 z-50 w-full cursor-default"
      />
      <p
        role="status"
        className="pointer-events-none fixed top-1/3 left-1/2 z-50 flex -translate-x-1/2 animate-late items-center gap-2 rounded-card bg-raised px-3 py-2 text-quiet shadow-panel"
      >
        <Spinner className="size-4" />
        Opening…
      </p>
    </>,
    document.body,
  )
}
