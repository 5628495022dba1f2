import { z } from 'zod'
import { text } from '../schema'

export * from './limits'

export const checkout = z.object({ clientSecret: z.string(), publishableKey: z.string().nullable() })
export type Checkout = z.infer<typeof checkout>

export const subscriptionStatus = z.object({
  cancelAtPeriodEnd: z.boolean(),
  currentPeriodEnd: z.iso.datetime().nullable(),
  /** Pro until the period ends, unless it is paid by then. */
  paymentFailed: z.boolean(),
})
export type SubscriptionStatus = z.infer<typeof subscriptionStatus>

export const unpaidInvoice = z.object({ url: z.url() })
export type UnpaidInvoice = z.infer<typeof unpaidInvoice>

export const simulatedPayment = z.object({
  clientSecret: text(200),
  outcome: z.enum(['paid', 'declined'], 'Must be paid or declined'),
})
export type SimulatedPayment = z.output<typeof simulatedPayment>
