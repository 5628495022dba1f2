import { z } from 'zod'
import { text } from '../schema'

/** What Pro costs (product.md, section 9). */
export const PRO_PRICE = '$10 CAD'

/** What the card form needs; without a publishable key the simulated checkout stands in (contract.md, section 7). */
export const checkout = z.object({ clientSecret: z.string(), publishableKey: z.string().nullable() })
export type Checkout = z.infer<typeof checkout>

/** How it goes on with a subscription (product.md, section 3); of a Pro that was given, not bought, nothing is known. */
export const subscriptionStatus = z.object({ cancelAtPeriodEnd: z.boolean(), currentPeriodEnd: z.iso.datetime().nullable() })
export type SubscriptionStatus = z.infer<typeof subscriptionStatus>

/** What the simulated card form does (contract.md, section 7). */
export const simulatedPayment = z.object({
  clientSecret: text(200),
  outcome: z.enum(['paid', 'declined'], 'Must be paid or declined'),
})
export type SimulatedPayment = z.output<typeof simulatedPayment>

export const ALREADY_SUBSCRIBED = 'You are already subscribed to the Pro plan.'
export const NOT_SET_UP = 'Payments are not set up on this server.'
export const OUT_OF_REACH = 'The payment provider is out of reach. Nothing was charged. Please try again.'
export const NOT_SUBSCRIBED = 'There is no subscription to change.'
export const DECLINED = 'Your card was declined.'

/** Where a payment leads back to (product.md, section 4, payment form). */
export const PAID_AT = '/?payment_success=true'

export const NOT_CONFIRMED = 'Your bank did not confirm the payment. Nothing was charged.'
