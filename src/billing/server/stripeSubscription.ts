import type Stripe from 'stripe'
import type { Subscription } from './provider'

/** What counts first of several: one that pays, one that can be paid, one that waits, one that is over. */
const ORDER = ['active', 'trialing', 'past_due', 'incomplete', 'unpaid', 'paused']

const placeOf = ({ status }: Stripe.Subscription) => {
  const place = ORDER.indexOf(status)
  return place < 0 ? ORDER.length : place
}

/** Of a customer's subscriptions, which come with the newest first, the one that counts. */
export const currentAmong = (all: Stripe.Subscription[]): Stripe.Subscription | undefined =>
  all.toSorted((a, b) => placeOf(a) - placeOf(b))[0]

const moment = (seconds: number | null | undefined) => (seconds ? new Date(seconds * 1_000) : null)

/** What we keep of a subscription. */
export function toSubscription(found: Stripe.Subscription): Subscription {
  return {
    id: found.id,
    status: found.status,
    // A day that was set in Stripe's dashboard ends it as well.
    cancelAtPeriodEnd: found.cancel_at_period_end || found.cancel_at !== null,
    currentPeriodEnd: moment(found.cancel_at) ?? moment(found.items.data[0]?.current_period_end),
  }
}

/** What lets a card form pay for a subscription; null where there is nothing to pay. */
export function secretIn({ status, latest_invoice: invoice }: Stripe.Subscription): string | null {
  if (status !== 'incomplete' || typeof invoice !== 'object') return null
  return invoice?.confirmation_secret?.client_secret ?? null
}

/** Of whom an event tells: subscriptions and invoices name their customer, other things that do are as welcome. */
export function customerIn(event: Stripe.Event): string | null {
  // What is signed is Stripe's word, but not that of the types of one version.
  const { data } = event as { data?: { object?: { customer?: unknown } | null } }
  const customer = data?.object?.customer
  return typeof customer === 'string' && !customer.includes('\0') ? customer : null
}
