import { z } from 'zod'
import { text } from '../schema'

export * from './limits'

export const checkout = z.object({ clientSecret: z.string(), publishableKey: z.string().nullable() })
export type Checkout = z.infer<typeof checkout>

export const subscriptionStatus = z.object({ cancelAtPeriodEnd: z.boolean(), currentPeriodEnd: z.iso.datetime().nullable() })
export type SubscriptionStatus = z.infer<typeof subscriptionStatus>

export const simulatedPayment = z.object({
  clientSecret: text(200),
  outcome: z.enum(['paid', 'declined'], 'Must be paid or declined'),
})
export type SimulatedPayment = z.output<typeof simulatedPayment>
