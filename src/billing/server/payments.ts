import type { Config } from '../../config'
import { conflict, notFound, Refusal } from '../../server/errors'
import { isForDevelopers } from '../../server/origin'
import { DECLINED, NOT_SUBSCRIBED, type SimulatedPayment } from '../schema'
import type { Account, Provider, Subscription } from './provider'

export async function openPayments(config: Pick<Config, 'stripe' | 'production' | 'isLocal'>): Promise<Provider | null> {
  // Loaded only where it is used.
  if (config.stripe) return (await import('./stripe')).createStripe(config.stripe)
  return isForDevelopers(config) ? createSimulated() : null
}

/** Stateless: results are stored like Stripe's answers. */
const createSimulated = (): Provider => ({
  simulated: true,
  publishableKey: null,
  customerOf: async ({ customerId }) => customerId ?? `cus_simulated_${crypto.randomUUID()}`,
  subscriptionOf: async ({ subscription }) => subscription,
  async begin({ subscription }) {
    const current = subscription && subscription.status !== 'canceled' ? subscription : newSubscription()
    return { subscription: current, clientSecret: current.status === 'incomplete' ? secretOf(current) : null }
  },
  unpaidInvoiceOf: async ({ subscription }) => ({ subscription, url: null }),
  setCancelling: async ({ subscription }, cancelAtPeriodEnd) => subscription && { ...subscription, cancelAtPeriodEnd },
  end: async ({ subscription }) => subscription,
  forget: async () => {},
  async customerInWebhook() {
    throw notFound('No such endpoint')
  },
  failureKind: () => null,
})

const newSubscription = (): Subscription => ({
  id: `sub_simulated_${crypto.randomUUID()}`,
  status: 'incomplete',
  cancelAtPeriodEnd: false,
  currentPeriodEnd: null,
})

const secretOf = ({ id }: Subscription) => `${id}_secret`

export function pay({ subscription }: Account, { clientSecret, outcome }: SimulatedPayment): Subscription {
  if (subscription?.status !== 'incomplete' || secretOf(subscription) !== clientSecret)
    throw notFound('There is no payment for this client secret.')
  if (outcome === 'declined') throw new Refusal('PAYMENT_REQUIRED', DECLINED)
  return { ...subscription, status: 'active', currentPeriodEnd: aMonthAfter(new Date()) }
}

export function endPeriod({ subscription }: Account): Subscription {
  if (subscription?.status !== 'active') throw conflict(NOT_SUBSCRIBED)
  if (subscription.cancelAtPeriodEnd) return { ...subscription, status: 'canceled' }
  return { ...subscription, currentPeriodEnd: aMonthAfter(subscription.currentPeriodEnd ?? new Date()) }
}

function aMonthAfter(moment: Date): Date {
  const next = new Date(moment)
  next.setUTCMonth(moment.getUTCMonth() + 1)
  if (next.getUTCDate() !== moment.getUTCDate()) next.setUTCDate(0)
  return next
}
