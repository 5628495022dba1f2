import type { Stripe, StripeElements } from '@stripe/stripe-js'
import { PAID_AT } from '../schema'
import { CheckoutFailed } from './CheckoutFailed'
import { PaymentForm } from './PaymentForm'
import { useCardFields } from './useCardFields'
import type { Payment } from './usePayment'

type Props = { stripe: Stripe; clientSecret: string; payment: Payment; onRetry(): void }

/** The embedded card form (product.md, section 2, upgrade page): what is typed into it goes to Stripe alone. */
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

/** Where the bank asks for more on a page of its own, it leads back to the same address (product.md, section 4). */
async function confirm(stripe: Stripe, elements: StripeElements): Promise<string | null> {
  const { error } = await stripe.confirmPayment({
    elements,
    confirmParams: { return_url: window.location.origin + PAID_AT },
    redirect: 'if_required',
  })
  // Paid already: in another window, or by a try whose answer got lost.
  if (!error || error.payment_intent?.status === 'succeeded') return null
  return error.message ?? 'The payment was declined.'
}
