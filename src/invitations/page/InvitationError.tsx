import { Link } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../web/ui/Button'

export const INVITE_CARD = 'flex flex-col gap-6 rounded-panel bg-surface p-6 shadow-card sm:p-8'

type Props = { reason: string; note?: string | undefined; children?: ReactNode }

/** `children` are what can be done about it. */
export const InvitationError = ({ reason, note, children }: Props) => (
  <section className={INVITE_CARD} role="alert">
    <CircleAlert className="size-8 text-danger" aria-hidden />
    <div className="flex flex-col gap-2">
      <h1 tabIndex={-1} className="rounded-card font-strong text-title">
        Invitation Error
      </h1>
      <p className="text-pretty">{reason}</p>
      {note && <p className="wrap-anywhere text-pretty text-quiet">{note}</p>}
    </div>
    <div className="flex flex-wrap gap-2">
      {children}
      <Button asChild look={children ? 'quiet' : 'plain'}>
        <Link to="/">Go to Home</Link>
      </Button>
    </div>
  </section>
)
