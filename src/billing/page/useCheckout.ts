import type { Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { useQuery } from '@tanstack/react-query'
import { refusalOf } from '../../web/refusal'
import { ALREADY_SUBSCRIBED } from '../schema'
import { billingApi } from './api'

/** What a form needs to take the payment; without Stripe it is the simulated one. */
type Payable = { clientSecret: string; stripe: Stripe | null }

export const SETUP_FAILED = {
  title: 'Subscription Setup Failed',
  description: 'Could not set up subscription. Please try again later.',
}

/** Sets the payment up as the upgrade page opens, and loads Stripe where the server takes cards. */
export const useCheckout = () =>
  useQuery({
    queryKey: ['checkout'],
    queryFn: async (): Promise<Payable> => {
      const { clientSecret, publishableKey } = await billingApi.setUp.mutate()
      return { clientSecret, stripe: publishableKey === null ? null : await loadStripe(publishableKey) }
    },
    // Set up anew each time: what was paid or has run out meanwhile is no longer to be paid.
    gcTime: 0,
    structuralSharing: false,
    networkMode: 'always',
    meta: { failure: (error) => (isAlreadyPro(error) ? null : SETUP_FAILED) },
  })

/** The plan changed without this page's having heard of it. */
export const isAlreadyPro = (error: unknown): boolean => refusalOf(error)?.message === ALREADY_SUBSCRIBED
