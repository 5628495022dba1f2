import { useEffect, useLayoutEffect, useRef } from 'react'

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

/** When a row is removed, the next one gets the focus, or what `end` or else `list` is the ref of. */
export function useKeptPlace(rows: unknown) {
  const list = useRef<HTMLUListElement>(null)
  const end = useRef<HTMLParagraphElement>(null)
  const focused = useRef<{ element: Element; row: number } | undefined>(undefined)
  const onFocus = ({ target }: { target: Element }) => {
    focused.current = { element: target, row: [...(list.current?.children ?? [])].findIndex((row) => row.contains(target)) }
  }
  useLayoutEffect(() => {
    const { element, row = -1 } = focused.current ?? {}
    if (row < 0 || !list.current || element?.isConnected || document.activeElement !== document.body) return
    const next = list.current.children[row] ?? list.current.lastElementChild
    const control = next?.querySelector<HTMLElement>('button:enabled') ?? end.current ?? list.current
    control?.focus()
  }, [rows])
  return { list, end, watched: { onFocus } }
}
