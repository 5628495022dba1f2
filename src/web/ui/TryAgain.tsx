import type { ReactNode } from 'react'
import { Button } from './Button'

type Props = { children: ReactNode; busy: boolean; retry(): void; className?: string }

export const TryAgain = ({ children, busy, retry, className = '' }: Props) => (
  <p role="alert" className={`flex flex-wrap items-center gap-3 text-quiet ${className}`}>
    {children}
    <Button size="small" busy={busy} onClick={retry}>
      Try again
    </Button>
  </p>
)
