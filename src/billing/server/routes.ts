import { success } from '../../schema'
import { publicRoute } from '../../server/routes'
import { hearStripe } from './webhook'

export const billingRoutes = [
  publicRoute.post(
    '/api/stripe/webhook',
    'billing.webhook',
    'Hear from Stripe, by its signature, that something became of a subscription',
    { answers: success, refuses: [400, 404, 413] },
    hearStripe,
  ),
]
