import { useLiveStatus } from '../live/socket'
import { Spinner } from './Spinner'

export const Reconnecting = () =>
  useLiveStatus() === 'lost' && (
    <span className="flex items-center gap-1.5 text-quiet text-small">
      <Spinner className="size-3.5" />
      Reconnecting…
    </span>
  )
