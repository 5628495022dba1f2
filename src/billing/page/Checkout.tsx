import type { Appearance, Stripe, StripeElements } from '@stripe/stripe-js'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { chosenTheme, onThemeChange } from '../../web/theme'
import { Spinner } from '../../web/ui/Spinner'
import { useMedia } from '../../web/useMedia'
import { PAID_AT } from '../schema'
import { CheckoutFailed, type Payment, PaymentForm, SimulatedForm, type useCheckout } from './PaymentForm'

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

type CardFormProps = { stripe: Stripe; clientSecret: string; payment: Payment; onRetry(): void }

/** Only Stripe gets what is typed here. */
function CardForm({ stripe, clientSecret, payment, onRetry }: CardFormProps) {
  const { elements, state, place } = useCardFields(stripe, clientSecret)
  if (state === 'broken') return <CheckoutFailed error={null} onRetry={onRetry} />
  return (
    <PaymentForm
      title="Card details"
      payment={payment}
      disabled={state === 'loading'}
      onPay={() => void payment.pay(() => confirmPayment(stripe, elements))}
    >
      <div ref={place} className="min-h-40" aria-busy={state === 'loading'} />
    </PaymentForm>
  )
}

async function confirmPayment(stripe: Stripe, elements: StripeElements): Promise<string | null> {
  const { error } = await stripe.confirmPayment({
    elements,
    confirmParams: { return_url: window.location.origin + PAID_AT },
    redirect: 'if_required',
  })
  // Already paid in another window, or by a try whose answer was lost.
  if (!error || error.payment_intent?.status === 'succeeded') return null
  return error.message ?? 'The payment was declined.'
}

/** Stripe's fields in its frame; `place` is the ref of the element around it. */
function useCardFields(stripe: Stripe, clientSecret: string) {
  const [elements] = useState(() => stripe.elements({ clientSecret, appearance: cardAppearance(), locale: 'en' }))
  const [state, setState] = useState<'loading' | 'ready' | 'broken'>('loading')
  const place = useCallback(
    (holder: HTMLDivElement | null) => {
      if (!holder) return
      const fields = elements.create('payment', { layout: 'tabs' })
      fields.on('ready', () => setState('ready'))
      fields.on('loaderror', () => setState('broken'))
      fields.mount(holder)
      return () => fields.destroy()
    },
    [elements],
  )

  const dark = useIsDark()
  // The frame does not see a change of our theme.
  useEffect(() => void elements.update({ appearance: cardAppearance() }), [elements, dark])

  return { elements, state, place }
}

function useIsDark() {
  const theme = useSyncExternalStore(onThemeChange, chosenTheme)
  const systemIsDark = useMedia('(prefers-color-scheme: dark)')
  return theme === 'system' ? systemIsDark : theme === 'dark'
}

/** Our design tokens as Stripe's; its frame cannot see our stylesheet. */
function cardAppearance(): Appearance {
  return {
    theme: 'flat',
    variables: {
      colorPrimary: resolvedColor('text'),
      colorBackground: resolvedColor('surface'),
      colorText: resolvedColor('text'),
      colorTextSecondary: resolvedColor('quiet'),
      colorTextPlaceholder: resolvedColor('quiet'),
      colorDanger: resolvedColor('danger'),
      iconColor: resolvedColor('quiet'),
      fontFamily: 'ui-sans-serif, system-ui, sans-serif',
      // Below 16 px iOS zooms into a touched field.
      fontSizeBase: matchMedia('(pointer: coarse)').matches ? '16px' : '14px',
      borderRadius: '8px',
      spacingUnit: '4px',
    },
    rules: {
      '.Input': { border: `1px solid ${resolvedColor('edge')}`, boxShadow: 'none' },
      '.Input:focus': { borderColor: resolvedColor('text'), boxShadow: `0 0 0 1px ${resolvedColor('text')}` },
      '.Input--invalid': { borderColor: resolvedColor('danger'), boxShadow: 'none' },
      '.Label': { fontWeight: '600' },
      '.Tab': { border: `1px solid ${resolvedColor('line')}`, boxShadow: 'none' },
      '.Tab--selected': { borderColor: resolvedColor('text'), color: resolvedColor('text') },
    },
  }
}

function resolvedColor(token: string): string {
  // A new element for each: a change of colour may be a transition, which would be read too early.
  const probe = document.createElement('span')
  probe.style.color = `var(--color-${token})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
