import type { Config } from '../../config'
import { isForDevelopers } from '../../server/developer'
import type { Provider } from './provider'
import { createSimulated } from './simulatedProvider'

export async function openPayments(config: Pick<Config, 'stripe' | 'production' | 'isLocal'>): Promise<Provider | null> {
  // Loaded only where it is used.
  if (config.stripe) return (await import('./stripe')).createStripe(config.stripe)
  return isForDevelopers(config) ? createSimulated() : null
}
