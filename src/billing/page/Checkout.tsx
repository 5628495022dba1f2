import { Spinner } from '../../web/ui/Spinner'
import { CardForm } from './CardForm'
import { CheckoutFailed } from './CheckoutFailed'
import { SimulatedForm } from './SimulatedForm'
import type { useCheckout } from './useCheckout'
import type { Payment } from './usePayment'

type Props = { checkout: ReturnType<typeof useCheckout>; payment: Payment }

export function Checkout({ checkout: { data, error, isFetching, dataUpdatedAt, refetch }, payment }: Props) {
  const retry = () => void refetch()
  if (error) return <CheckoutFailed error={error} busy={isFetching} onRetry={retry} />
  if (!data) return <SettingUp />
  const { clientSecret, stripe } = data
  if (!stripe) return <SimulatedForm clientSecret={clientSecret} payment={payment} />
  return <CardForm key={dataUpdatedAt} stripe={stripe} clientSecret={clientSecret} payment={payment} onRetry={retry} />
}

const SettingUp = () => (
  <p
    role="status"
    className="flex min-h-72 flex-col items-center justify-center gap-3 rounded-panel bg-surface p-6 text-quiet shadow-card"
  >
    <Spinner className="size-6" />
    Setting up payment...
  </p>
)
