import { useIsReachable } from '../live/connection'
import { useUnsent } from '../live/pending'
import { useIsOld } from '../live/repeatedReads'
import { useLiveStatus } from '../live/socket'
import { Spinner } from './Spinner'

/** One quiet line about the connection; where nothing else has a place for it, it lies in a corner of the page. */
export function Reconnecting({ corner = false }) {
  const isLost = useLiveStatus() === 'lost'
  const isReachable = useIsReachable()
  const isOld = useIsOld()
  const unsent = useUnsent()
  if (!isLost && isReachable && !isOld && unsent === 0) return null
  const waiting = unsent === 1 ? 'One change' : `${unsent} changes`
  return (
    <span
      {...(corner && { role: 'status' })}
      className={`flex items-center gap-1.5 text-quiet text-small ${corner ? CORNER : 'mr-2'}`}
    >
      <Spinner className="size-3.5" />
      {isLost || !isReachable ? 'Reconnecting…' : unsent > 0 ? 'Saving…' : 'Reading again…'}
      {unsent > 0 && <span className="max-lg:sr-only">{waiting} kept here until then.</span>}
    </span>
  )
}

const CORNER = 'absolute bottom-3 left-4 z-10 rounded-card bg-raised px-3 py-1.5 shadow-panel'
