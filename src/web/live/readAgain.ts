import { useEffect, useEffectEvent, useRef } from 'react'
import { useLiveMessages, useLiveStatus } from './socket'

/** Once the socket is open, or failed to: nothing falls between it and what is read then. */
export function useMayRead(): boolean {
  const live = useLiveStatus()
  return live === 'open' || live === 'lost'
}

/** Messages are not repeated: after a loss, what they keep up to date is read again. */
export function useReadAgain(read: () => void): void {
  const live = useLiveStatus()
  const wasLost = useRef(false)
  const latest = useEffectEvent(read)
  useLiveMessages({ messages_missed: read })
  useEffect(() => {
    if (live === 'open' && wasLost.current) latest()
    wasLost.current = live === 'lost'
  }, [live])
}
