import type Stripe from 'stripe'
import type { Subscription } from './provider'

const PRECEDENCE = ['active', 'trialing', 'past_due', 'incomplete', 'unpaid', 'paused']

const precedenceOf = ({ status }: Stripe.Subscription) => {
  const place = PRECEDENCE.indexOf(status)
  return place < 0 ? PRECEDENCE.length : place
}

export const currentAmong = (all: Stripe.Subscription[]): Stripe.Subscription | undefined =>
  all.toSorted((a, b) => precedenceOf(a) - precedenceOf(b))[0]

const moment = (seconds: number | null | undefined) => (seconds ? new Date(seconds * 1_000) : null)

export function toSubscription(found: Stripe.Subscription): Subscription {
  return {
    id: found.id,
    status: found.status,
    cancelAtPeriodEnd: found.cancel_at_period_end || found.cancel_at !== null,
    currentPeriodEnd: moment(found.cancel_at) ?? moment(found.items.data[0]?.current_period_end),
  }
}

export function secretIn({ status, latest_invoice: invoice }: Stripe.Subscription): string | null {
  if (status !== 'incomplete' || typeof invoice !== 'object') return null
  return invoice?.confirmation_secret?.client_secret ?? null
}

export function customerIn(event: Stripe.Event): string | null {
  // Signed by Stripe, but perhaps not of the API version of the types.
  const { data } = event as { data?: { object?: { customer?: unknown } | null } }
  const customer = data?.object?.customer
  return typeof customer === 'string' && !customer.includes('\0') ? customer : null
}
