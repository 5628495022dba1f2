import { useState } from 'react'

/** Whether it has been true: what is not there at first is loaded then, and stays. */
export function useEver(now: boolean): boolean {
  const [ever, setEver] = useState(now)
  if (now && !ever) setEver(true)
  return ever || now
}
