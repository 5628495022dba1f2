import type { Stripe, StripeElements } from '@stripe/stripe-js'
import { PAID_AT } from '../schema'
import { CheckoutFailed } from './CheckoutFailed'
import { PaymentForm } from './PaymentForm'
import { useCardFields } from './useCardFields'
import type { Payment } from './usePayment'

type Props = { stripe: Stripe; clientSecret: string; payment: Payment; onRetry(): void }

/** What is typed here goes to Stripe alone. */
export function CardForm({ stripe, clientSecret, payment, onRetry }: Props) {
  const { elements, state, place } = useCardFields(stripe, clientSecret)
  if (state === 'broken') return <CheckoutFailed error={null} onRetry={onRetry} />
  return (
    <PaymentForm
      title="Card details"
      payment={payment}
      disabled={state === 'loading'}
      onPay={() => void payment.pay(() => confirm(stripe, elements))}
    >
      <div ref={place} className="min-h-40" aria-busy={state === 'loading'} />
    </PaymentForm>
  )
}

/** A bank's own page leads back to the same address. */
async function confirm(stripe: Stripe, elements: StripeElements): Promise<string | null> {
  const { error } = await stripe.confirmPayment({
    elements,
    confirmParams: { return_url: window.location.origin + PAID_AT },
    redirect: 'if_required',
  })
  // Paid already: in another window, or by a try whose answer was lost.
  if (!error || error.payment_intent?.status === 'succeeded') return null
  return error.message ?? 'The payment was declined.'
}
