import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { liveStatus, type Status, useLiveMessages, watchLive } from './socket'
import { whenLive } from './whenLive'

/** Once the socket is open, or failed to: nothing falls between it and what is read then. */
const mayReadAt = (status: Status) => status === 'open' || status === 'lost'

export const useMayRead = (): boolean => useSyncExternalStore(watchLive, () => mayReadAt(liveStatus()))

/** For a query that is shown from the beginning, so that nothing is drawn again only to begin it. */
export const mayRead = (until: AbortSignal): Promise<void> => whenLive(mayReadAt, until)

/** Messages are not repeated: after a loss, what they keep up to date is read again. */
export function useReadAgain(read: () => void): void {
  const latest = useEffectEvent(read)
  useLiveMessages({ messages_missed: read })
  useEffect(() => {
    let before = liveStatus()
    return watchLive(() => {
      if (before === 'lost' && liveStatus() === 'open') latest()
      before = liveStatus()
    })
  }, [])
}
