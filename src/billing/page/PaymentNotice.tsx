import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import Check from 'lucide-react/icons/check'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import Clock from 'lucide-react/icons/clock'
import X from 'lucide-react/icons/x'
import { type ReactNode, useEffect, useState } from 'react'
import { useViewer } from '../../users/page/viewer'
import { onOpen } from '../../web/live/socket'
import { dismissToast, toast } from '../../web/toast'
import { NOT_CONFIRMED } from '../schema'
import { refetchAfterPayment, refetchViewer } from './cache'
import { UpgradeLink } from './Upgrade'

/** `place` holds the space until the outcome is known. */
export function PaymentNotice({ failed, place }: { failed: boolean; place: ReactNode }) {
  const came = usePaymentReturn(failed)
  const [closed, setClosed] = useState<typeof came>()
  // A later outcome is shown even after the first notice was closed.
  if (!came) return place
  if (closed === came) return null
  return <Banner onClose={() => setClosed(came)}>{NOTICES[came]}</Banner>
}

const NOTICES = {
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
        <strong className="font-strong">Payment Failed.</strong> {NOT_CONFIRMED} <Upgrade>Try again</Upgrade>
      </span>
    </>
  ),
  unconfirmed: (
    <>
      <Clock className="mt-0.5 size-4 shrink-0 text-quiet" aria-hidden />
      <span>
        <strong className="font-strong">Your payment is not confirmed yet.</strong> If you have just paid, this page updates when
        the payment goes through. Not paid yet? <Upgrade>Upgrade to Pro</Upgrade>
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

/** Undefined until the server confirms the payment: anyone can open that address. */
function usePaymentReturn(failed: boolean): 'activated' | 'failed' | 'unconfirmed' | undefined {
  const { isPro } = useViewer()
  const { data: isSubscribed, isFetched } = useQuery({
    queryKey: ['after payment', isPro],
    queryFn: refetchAfterPayment,
    gcTime: 0,
    networkMode: 'always',
  })
  // A later change of the plan is not about this payment.
  const [paid, setPaid] = useState(false)
  if (isPro && isSubscribed && !paid) setPaid(true)
  const came = paid ? 'activated' : failed ? 'failed' : isFetched && !isPro ? 'unconfirmed' : undefined

  // A reload or "back" does not repeat it.
  const navigate = useNavigate()
  useEffect(() => void navigate({ to: '/', search: {}, replace: true }), [navigate])

  useEffect(() => {
    if (!came || came === 'unconfirmed') return
    const shown = toast(TOASTS[came])
    return () => dismissToast(shown)
  }, [came])

  // The payment may have been announced before the socket opened.
  useEffect(() => (came === undefined || came === 'unconfirmed' ? onOpen(() => void refetchViewer()) : undefined), [came])

  return came
}

const TOASTS = {
  activated: { title: 'Payment Successful', description: 'You are now subscribed to the Pro plan with unlimited boards' },
  failed: { variant: 'destructive', title: 'Payment Failed', description: NOT_CONFIRMED },
} as const
