import { useState } from 'react'

export function useCooldown(duration: number) {
  const [active, setActive] = useState(false)
  const start = () => {
    setActive(true)
    setTimeout(() => setActive(false), duration)
  }
  return { active, start }
}
