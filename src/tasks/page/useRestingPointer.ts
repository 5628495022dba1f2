import { type RefObject, useEffect } from 'react'

/**
 * While a list scrolls, what passes below a resting pointer is not pointed at: to find it, to style it and to tell of it
 * costs each frame a seventh. The list says by `data-moving` that it scrolls, until a frame without a movement, and is
 * itself before its items meanwhile.
 */
export function useRestingPointer(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = list.current
    const scroller = element?.parentElement
    if (!element || !scroller) return
    let frame = 0
    const rest = () => element.removeAttribute('data-moving')
    const move = () => {
      element.setAttribute('data-moving', '')
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(rest)
      })
    }
    scroller.addEventListener('scroll', move, { passive: true })
    return () => {
      scroller.removeEventListener('scroll', move)
      cancelAnimationFrame(frame)
      rest()
    }
  }, [list])
}
