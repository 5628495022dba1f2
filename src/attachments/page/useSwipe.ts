import { type TouchEvent, useRef } from 'react'

const FAR = 48

/** A finger that goes aside further than up or down. */
export function useSwipe(step: (by: number) => void) {
  const start = useRef<{ x: number; y: number }>(undefined)
  return {
    onTouchStart({ touches }: TouchEvent) {
      const finger = touches.item(0)
      start.current = finger && touches.length === 1 ? { x: finger.clientX, y: finger.clientY } : undefined
    },
    onTouchEnd({ changedTouches }: TouchEvent) {
      const finger = changedTouches.item(0)
      if (!finger || !start.current) return
      const [x, y] = [finger.clientX - start.current.x, finger.clientY - start.current.y]
      start.current = undefined
      if (Math.abs(x) > FAR && Math.abs(x) > Math.abs(y)) step(x < 0 ? 1 : -1)
    },
  }
}
