import { countText } from '../../format'
import { useLate } from '../live/pendingChanges'
import { useIsPolling } from '../live/polling'
import { useIsReachable } from '../live/reachability'
import { useIsOld } from '../live/rereads'
import { useIsLost } from '../live/socket'
import { Spinner } from './Spinner'

/** One quiet line about the connection, in a corner of the page if nothing else has a place for it. */
export function ConnectionLine({ corner = false }) {
  const isLost = useIsLost()
  const isReachable = useIsReachable()
  const isPolling = useIsPolling() && isReachable
  const isOld = useIsOld()
  const unsent = useLate()
  if (!isLost && isReachable && !isOld && unsent === 0) return null
  const isAway = (isLost && !isPolling) || !isReachable
  const doing = unsent > 0 ? (isReachable ? 'Saving…' : 'Offline.') : isAway ? 'Reconnecting…' : isOld ? 'Updating…' : undefined
  return (
    <span
      {...(corner && { role: 'status' })}
      className={`flex items-center gap-1.5 text-quiet text-small ${corner ? CORNER : 'mr-2'}`}
    >
      {doing ? <Spinner className="size-3.5" /> : <NotLive />}
      {doing}
      {unsent > 0 && (
        <span aria-hidden className="lg:hidden">
          {unsent} to sync
        </span>
      )}
      {unsent > 0 && <span className="max-lg:sr-only">{countText(unsent, 'change')} will sync.</span>}
    </span>
  )
}

const NotLive = () => (
  <span title="A proxy or firewall may be blocking the live connection.">
    Not live<span className="max-sm:sr-only">: updates every few seconds</span>
  </span>
)

const CORNER = 'absolute bottom-3 left-4 z-10 rounded-card bg-raised px-3 py-1.5 shadow-panel'
