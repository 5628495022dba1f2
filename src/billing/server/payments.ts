import type { Config } from '../../config'
import type { Provider } from './provider'
import { createSimulated } from './simulatedProvider'

/** Payments as they are set up: Stripe's, outside production simulated ones without a key, or none. */
export async function openPayments({ stripe, production }: Pick<Config, 'stripe' | 'production'>): Promise<Provider | null> {
  // Loaded where it is used: many servers take no money.
  if (stripe) return (await import('./stripe')).createStripe(stripe)
  return production ? null : createSimulated()
}
