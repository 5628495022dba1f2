import type { done } from '../inputs'
import { notFound, Refusal } from '../server/errors'
import { router, signedIn } from '../server/trpc'
import { type Checkout, NOT_SET_UP, type SubscriptionStatus, simulatedPayment } from './inputs'

export const billingRouter = router({
  /** How it goes on with one's subscription. */
  status: signedIn.query(async (): Promise<SubscriptionStatus> => ({ cancelAtPeriodEnd: false, currentPeriodEnd: null })),

  /** Begins to subscribe, or goes on with what was begun. */
  setUp: signedIn.mutation(async (): Promise<Checkout> => {
    throw notSetUp()
  }),

  /** Ends the subscription with its period. */
  cancel: signedIn.mutation(async (): Promise<typeof done> => {
    throw notSetUp()
  }),

  /** Takes that back. */
  resume: signedIn.mutation(async (): Promise<typeof done> => {
    throw notSetUp()
  }),

  simulatePayment: signedIn.input(simulatedPayment).mutation(async (): Promise<typeof done> => {
    throw notFound('There is no such call')
  }),

  simulatePeriodEnd: signedIn.mutation(async (): Promise<typeof done> => {
    throw notFound('There is no such call')
  }),
})

const notSetUp = () => new Refusal('PRECONDITION_FAILED', NOT_SET_UP)
