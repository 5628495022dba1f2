import { useEffectEvent, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { LAYERS_AND_OPENING } from '../layers'
import { IgnoreSecondPress } from './IgnoreSecondPress'
import { Spinner } from './Spinner'
import { TypeAhead } from './TypeAhead'

/** The fallback of an overlay: says soon that it comes, but not where it comes at once, and keeps keys and presses from what is below. */
export function Opening({ onClose }: { onClose(): void }) {
  const cover = useRef<HTMLButtonElement>(null)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || [...document.querySelectorAll(LAYERS_AND_OPENING)].at(-1) !== cover.current) return
    event.stopImmediatePropagation()
    onClose()
  })
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listener, { capture: true })
    return () => window.removeEventListener('keydown', listener, { capture: true })
  }, [])
  return createPortal(
    <>
      <TypeAhead />
      <IgnoreSecondPress />
      <button
        ref={cover}
        type="button"
        tabIndex={-1}
        aria-label="Cancel opening"
        data-opening
        // The focus stays on what opens it, which gets it back.
        onMouseDown={(event) => event.preventDefault()}
        onClick={onClose}
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
