import { Check, CircleAlert, Clock, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { NOT_CONFIRMED } from '../schema'
import { UpgradeLink } from './UpgradeLink'
import { usePaymentReturn } from './usePaymentReturn'

/** `place` stands there until it is known what to say. */
export function PaymentNotice({ failed, place }: { failed: boolean; place: ReactNode }) {
  const came = usePaymentReturn(failed)
  const [closed, setClosed] = useState<typeof came>()
  // A later outcome is shown even after the first notice was closed.
  if (!came) return place
  if (closed === came) return null
  return <Banner onClose={() => setClosed(came)}>{SAYS[came]}</Banner>
}

const SAYS = {
  activated: (
    <>
      <Check className="mt-0.5 size-4 shrink-0 text-done" aria-hidden />
      <strong className="font-strong">Subscription activated successfully!</strong>
    </>
  ),
  failed: (
    <>
      <CircleAlert className="mt-0.5 size-4 shrink-0 text-danger" aria-hidden />
      <span>
        <strong className="font-strong">Payment Failed.</strong> {NOT_CONFIRMED} <Upgrade>Try Again</Upgrade>
      </span>
    </>
  ),
  unconfirmed: (
    <>
      <Clock className="mt-0.5 size-4 shrink-0 text-quiet" aria-hidden />
      <span>
        <strong className="font-strong">No payment has been confirmed yet.</strong> If you have just paid, this changes by itself
        as soon as it is. If not: <Upgrade>Upgrade to Pro</Upgrade>
      </span>
    </>
  ),
}

function Banner({ onClose, children }: { onClose(): void; children: ReactNode }) {
  return (
    <section aria-label="Payment" className="flex items-start justify-between gap-3 rounded-panel bg-surface p-4 shadow-card">
      <p role="status" className="flex gap-2.5 text-pretty">
        {children}
      </p>
      <button
        type="button"
        onClick={onClose}
        className="-my-0.5 grid size-6 shrink-0 place-items-center rounded-card text-quiet hover:bg-hover hover:text-text"
        aria-label="Dismiss"
      >
        <X className="size-3.5" aria-hidden />
      </button>
    </section>
  )
}

function Upgrade({ children }: { children: string }) {
  return <UpgradeLink className="whitespace-nowrap rounded-card font-strong underline underline-offset-4">{children}</UpgradeLink>
}
