import type { Config } from '../../config'
import type { Provider } from './provider'
import { createSimulated } from './simulatedProvider'

export async function openPayments({ stripe, production }: Pick<Config, 'stripe' | 'production'>): Promise<Provider | null> {
  // Loaded only where it is used.
  if (stripe) return (await import('./stripe')).createStripe(stripe)
  return production ? null : createSimulated()
}
