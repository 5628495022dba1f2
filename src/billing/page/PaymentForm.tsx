import type { Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import FlaskConical from 'lucide-react/icons/flask-conical'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { client } from '../../web/client'
import { reasonOr, refusalOf } from '../../web/refusal'
import { sleep } from '../../web/scheduling'
import { type ToastText, toast } from '../../web/toast'
import { Button } from '../../web/ui/Button'
import { ALREADY_SUBSCRIBED, PAID_AT, PRO_PRICE } from '../schema'
import { payBySimulation } from './cache'

/** Resolves to null after a payment, else to the provider's reason. */
type Attempt = () => Promise<string | null>
export type Payment = ReturnType<typeof usePayment>

export function usePayment() {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const underWay = useRef(false)
  useEffect(() => {
    window.addEventListener('pageshow', reloadIfRestored)
    return () => window.removeEventListener('pageshow', reloadIfRestored)
  }, [])
  const pay = async (attempt: Attempt) => {
    // Two clicks can come before the button is disabled.
    if (underWay.current) return
    underWay.current = true
    setBusy(true)
    setFailure(undefined)
    const failed = await failureOfAttempt(attempt)
    if (!failed) return goToDashboard()
    underWay.current = false
    setBusy(false)
    setFailure(failed.description)
    toast({ variant: 'destructive', ...failed })
  }
  return { busy, failure, pay }
}

/** Going back from a bank's page, the browser may restore this page from its cache, still busy. */
const reloadIfRestored = ({ persisted }: PageTransitionEvent) => persisted && window.location.reload()

async function failureOfAttempt(attempt: Attempt): Promise<ToastText | null> {
  try {
    const reason = await attempt()
    return reason === null ? null : { title: 'Payment Failed', description: reason }
  } catch (error) {
    console.warn('A payment could not be made', error)
    return { title: 'Payment Error', description: 'An unexpected error occurred. Please try again.' }
  }
}

const SUCCESS_SHOWN_FOR = 1_000

/** A full load leaves Stripe's scripts and policy behind; "back" skips the finished form. */
async function goToDashboard() {
  toast({ title: 'Payment Successful', description: 'You are now subscribed to the Pro plan!' })
  await sleep(SUCCESS_SHOWN_FOR)
  window.location.replace(PAID_AT)
}

type Props = {
  title: string
  payment: Payment
  disabled?: boolean
  onPay(): void
  children: ReactNode
  more?: ReactNode
}

export function PaymentForm({ title, payment, disabled, onPay, children, more }: Props) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onPay()
  }
  return (
    <form onSubmit={submit} aria-labelledby="payment" className="flex flex-col gap-5 rounded-panel bg-surface p-6 shadow-card">
      <h2 id="payment" tabIndex={-1} className="rounded-card font-strong">
        {title}
      </h2>
      {children}
      {payment.failure && (
        <p className="flex gap-2 rounded-card bg-accent-soft px-3 py-2">
          <TriangleAlert className="mt-0.5 size-4 shrink-0 text-danger" aria-hidden />
          {payment.failure}
        </p>
      )}
      <Button type="submit" look="primary" busy={payment.busy} disabled={disabled} className="w-full">
        Subscribe for {PRO_PRICE}/month
      </Button>
      {more}
      <p className="text-pretty text-quiet text-small">
        Billed monthly. Cancel anytime. Payments are not refunded; see the <Legal to="/refund">refund policy</Legal> and the{' '}
        <Legal to="/terms">terms</Legal>.
      </p>
    </form>
  )
}

/** In another tab: this one would lose what was typed. */
const Legal = ({ to, children }: { to: string; children: string }) => (
  <a href={to} target="_blank" rel="noopener" className="rounded-card underline underline-offset-4 hover:text-text">
    {children}
  </a>
)

type SimulatedFormProps = { clientSecret: string; payment: Payment }

/** Replaces the card form if no Stripe key is set. */
export function SimulatedForm({ clientSecret, payment }: SimulatedFormProps) {
  const pay = (outcome: 'paid' | 'declined') => void payment.pay(() => payBySimulation(clientSecret, outcome))
  return (
    <PaymentForm
      title="Payment"
      payment={payment}
      onPay={() => pay('paid')}
      more={
        <Button disabled={payment.busy} onClick={() => pay('declined')} className="-mt-2 w-full">
          Simulate a declined card
        </Button>
      }
    >
      <p className="flex gap-2 rounded-card border border-edge border-dashed px-3 py-2.5">
        <FlaskConical className="mt-0.5 size-4 shrink-0 text-quiet" aria-hidden />
        <span className="text-pretty">
          <strong className="font-strong">Simulated checkout: no card is charged.</strong> No Stripe key is set on this server, so
          this stands in for the card form.
        </span>
      </p>
    </PaymentForm>
  )
}

type Payable = { clientSecret: string; stripe: Stripe | null }

const SETUP_FAILED = {
  title: 'Subscription Setup Failed',
  description: 'Could not set up subscription. Please try again later.',
}

export const useCheckout = () =>
  useQuery({
    queryKey: ['checkout'],
    queryFn: async (): Promise<Payable> => {
      const { clientSecret, publishableKey } = await client.billing.setUp.mutate()
      return { clientSecret, stripe: publishableKey === null ? null : await loadStripe(publishableKey) }
    },
    // Set up again each time: the payment may be done or expired by then.
    gcTime: 0,
    structuralSharing: false,
    networkMode: 'always',
    // The page says so itself.
    meta: { failure: (error) => (isAlreadyPro(error) || isNotSetUp(error) ? null : SETUP_FAILED) },
  })

/** The plan changed in another window. */
export const isAlreadyPro = (error: unknown): boolean => refusalOf(error)?.message === ALREADY_SUBSCRIBED

const isNotSetUp = (error: unknown): boolean => refusalOf(error)?.code === 'PRECONDITION_FAILED'

type CheckoutFailedProps = { error: unknown; busy?: boolean; onRetry(): void }

export function CheckoutFailed({ error, busy, onRetry }: CheckoutFailedProps) {
  const [look, sign] = isNotSetUp(error) ? ['bg-surface shadow-card', 'text-quiet'] : ['bg-accent-soft', 'text-danger']
  return (
    <section aria-labelledby="failed" className={`flex flex-col items-start gap-3 rounded-panel p-6 ${look}`}>
      <h2 id="failed" tabIndex={-1} className="flex items-start gap-2 rounded-card font-strong">
        <TriangleAlert className={`mt-0.5 size-4 shrink-0 ${sign}`} aria-hidden />
        {isNotSetUp(error) ? 'Payments are not set up on this server' : SETUP_FAILED.title}
      </h2>
      <p className="text-pretty">
        {isNotSetUp(error)
          ? 'You cannot upgrade here yet. Nothing was charged, and you’re still on the Free plan.'
          : reasonOr(error, `${SETUP_FAILED.description} Nothing was charged.`)}
      </p>
      <div className="flex flex-wrap gap-2 pt-1">
        <Button asChild look="primary">
          <Link to="/" reloadDocument>
            Return to Dashboard
          </Link>
        </Button>
        {!isNotSetUp(error) && (
          <Button busy={busy} onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
    </section>
  )
}
