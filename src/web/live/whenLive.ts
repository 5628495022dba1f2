import { liveStatus, type Status, watchLive } from './socket'

/** Calls `begin` each time it opens, and now if it is open. */
export function onOpen(begin: () => void): () => void {
  let wasOpen = false
  const look = () => {
    if (liveStatus() === 'open' && !wasOpen) begin()
    wasOpen = liveStatus() === 'open'
  }
  look()
  return watchLive(look)
}

/** Resolves once the status is so; never, where `until` is aborted before. */
export const whenLive = (isSo: (status: Status) => boolean, until: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (until.aborted) return
    const stop = watchLive(look)
    until.addEventListener('abort', stop)
    function look() {
      if (!isSo(liveStatus())) return
      stop()
      resolve()
    }
    look()
  })
