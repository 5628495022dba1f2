import { useIsReachable } from '../live/connection'
import { useUnsent } from '../live/pending'
import { useIsOld } from '../live/repeatedReads'
import { useLiveStatus } from '../live/socket'
import { Spinner } from './Spinner'

export function Reconnecting() {
  const isLost = useLiveStatus() === 'lost'
  const isReachable = useIsReachable()
  const isOld = useIsOld()
  const unsent = useUnsent()
  if (!isLost && isReachable && !isOld && unsent === 0) return null
  const waiting = unsent === 1 ? 'One change' : `${unsent} changes`
  return (
    <span className="mr-2 flex items-center gap-1.5 text-quiet text-small">
      <Spinner className="size-3.5" />
      {isLost || !isReachable ? 'Reconnecting…' : unsent > 0 ? 'Saving…' : 'Reading again…'}
      {unsent > 0 && <span className="max-lg:sr-only">{waiting} kept here until then.</span>}
    </span>
  )
}
