import type { ReactNode } from 'react'
import { Button } from './Button'
import { FaultId } from './FaultId'

type Props = { children: ReactNode; busy: boolean; retry(): void; error?: unknown; className?: string }

export const TryAgain = ({ children, busy, retry, error, className = '' }: Props) => (
  <p role="alert" className={`flex flex-wrap items-center gap-3 text-quiet ${className}`}>
    {children}
    <Button size="small" busy={busy} onClick={retry}>
      Try again
    </Button>
    <FaultId error={error} />
  </p>
)
