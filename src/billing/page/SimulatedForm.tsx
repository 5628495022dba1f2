import { FlaskConical } from 'lucide-react'
import { Button } from '../../web/ui/Button'
import { payBySimulation } from './cache'
import { PaymentForm } from './PaymentForm'
import type { Payment } from './usePayment'

type Props = { clientSecret: string; payment: Payment }

/** Replaces the card form outside production, so that a newcomer can see the whole flow. */
export function SimulatedForm({ clientSecret, payment }: Props) {
  const pay = (outcome: 'paid' | 'declined') => void payment.pay(() => payBySimulation(clientSecret, outcome))
  return (
    <PaymentForm
      title="Payment"
      payment={payment}
      onPay={() => pay('paid')}
      more={
        <Button disabled={payment.busy} onClick={() => pay('declined')} className="-mt-2 w-full">
          Simulate a Declined Card
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
