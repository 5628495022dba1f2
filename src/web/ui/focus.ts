import { useEffect, useLayoutEffect, useRef } from 'react'
import { wasPressed } from '../pointer'
import { goTo } from './layer'

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

/** When a row is removed by a key, the same button of the next row gets the focus; without one, `end` or else `list`. */
export function useKeptPlace(rows: unknown) {
  const list = useRef<HTMLUListElement>(null)
  const end = useRef<HTMLParagraphElement>(null)
  const focused = useRef<{ element: Element; row: number; button: number } | undefined>(undefined)
  const onFocus = ({ target }: { target: Element }) => {
    const all = [...(list.current?.children ?? [])]
    const row = all.findIndex((one) => one.contains(target))
    const buttons: Element[] = [...(all[row]?.querySelectorAll('button') ?? [])]
    focused.current = { element: target, row, button: buttons.indexOf(target) }
  }
  useLayoutEffect(() => {
    const { element, row = -1, button = -1 } = focused.current ?? {}
    if (row < 0 || !list.current || element?.isConnected || document.activeElement !== document.body || wasPressed()) return
    const next = list.current.children[row] ?? list.current.lastElementChild
    const same = next?.querySelectorAll('button')[button]
    goTo((same?.disabled ? undefined : same) ?? end.current ?? list.current)
  }, [rows])
  return { list, end, watched: { onFocus } }
}
