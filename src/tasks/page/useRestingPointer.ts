import { type RefObject, useEffect } from 'react'

/** Hover effects would cost a seventh of each frame of scrolling. `data-moving` marks a list that moves. */
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
