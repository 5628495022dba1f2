import type { Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { useQuery } from '@tanstack/react-query'
import { client } from '../../web/client'
import { refusalOf } from '../../web/refusal'
import { ALREADY_SUBSCRIBED } from '../schema'

type Payable = { clientSecret: string; stripe: Stripe | null }

export const SETUP_FAILED = {
  title: 'Subscription Setup Failed',
  description: 'Could not set up subscription. Please try again later.',
}

export const useCheckout = () =>
  useQuery({
    queryKey: ['checkout'],
    queryFn: async (): Promise<Payable> => {
      const { clientSecret, publishableKey } = await client.billing.setUp.mutate()
      return { clientSecret, stripe: publishableKey === null ? null : await loadStripe(publishableKey) }
    },
    // Set up again each time, for a payment may be done or expired by then.
    gcTime: 0,
    structuralSharing: false,
    networkMode: 'always',
    meta: { failure: (error) => (isAlreadyPro(error) ? null : SETUP_FAILED) },
  })

/** The plan changed in another window. */
export const isAlreadyPro = (error: unknown): boolean => refusalOf(error)?.message === ALREADY_SUBSCRIBED
