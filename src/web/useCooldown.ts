import { useState } from 'react'

/** Active for so many milliseconds after each `start`. */
export function useCooldown(duration: number) {
  const [active, setActive] = useState(false)
  const start = () => {
    setActive(true)
    setTimeout(() => setActive(false), duration)
  }
  return { active, start }
}
