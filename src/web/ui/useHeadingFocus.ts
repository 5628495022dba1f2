import { useEffect, useRef } from 'react'

/** When content is replaced, its heading, which has a `tabIndex`, takes over the focus. */
export function useHeadingFocus<Place extends HTMLElement>() {
  const place = useRef<Place>(null)
  useEffect(() => {
    const around = place.current
    if (!around) return
    let last: EventTarget | null = null
    const note = ({ target }: FocusEvent) => {
      last = target
    }
    const observer = new MutationObserver(() => {
      const isGone = last instanceof Element && !last.isConnected && document.activeElement === document.body
      if (isGone) around.querySelector<HTMLElement>(':is(h1, h2)[tabindex]')?.focus()
    })
    around.addEventListener('focusin', note)
    observer.observe(around, { childList: true, subtree: true })
    return () => {
      around.removeEventListener('focusin', note)
      observer.disconnect()
    }
  }, [])
  return place
}
