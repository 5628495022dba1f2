import { TriangleAlert } from 'lucide-react'
import type { ReactNode, SubmitEvent } from 'react'
import { Button } from '../../web/ui/Button'
import { PRO_PRICE } from '../schema'
import type { Payment } from './usePayment'

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
      <Button type="submit" look="primary" size="large" busy={payment.busy} disabled={disabled} className="w-full">
        Subscribe for {PRO_PRICE}/month
      </Button>
      {more}
      <p className="text-pretty text-quiet text-small">
        Billed each month until you cancel, which you can do at any time. Payments are not refunded: see the{' '}
        <Legal to="/refund">refund policy</Legal> and the <Legal to="/terms">terms</Legal>.
      </p>
    </form>
  )
}

/** Opens in another tab, for this one would lose what was typed. */
const Legal = ({ to, children }: { to: string; children: string }) => (
  <a href={to} target="_blank" rel="noopener" className="rounded-card underline underline-offset-4 hover:text-text">
    {children}
  </a>
)
