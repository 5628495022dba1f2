import { useState } from 'react'

/** Closed for so many milliseconds after each `close`. */
export function useLock(duration: number) {
  const [closed, setClosed] = useState(false)
  const close = () => {
    setClosed(true)
    setTimeout(() => setClosed(false), duration)
  }
  return { closed, close }
}
