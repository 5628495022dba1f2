import type { ReactNode } from 'react'
import { isUnreachable } from '../live/connection'
import { Button } from './Button'
import { FaultId } from './FaultId'

type Props = { children: ReactNode; busy: boolean; retry(): void; error?: unknown; className?: string }

export const TryAgain = ({ children, busy, retry, error, className = '' }: Props) => (
  <p role="alert" className={`flex flex-wrap items-center gap-3 text-quiet ${className}`}>
    <span>
      {children} {isUnreachable(error) && (navigator.onLine ? 'The server is out of reach.' : 'You are offline.')}
    </span>
    <Button size="small" busy={busy} onClick={retry}>
      Try again
    </Button>
    <FaultId error={error} />
  </p>
)
