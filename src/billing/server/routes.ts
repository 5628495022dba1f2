import { success } from '../../schema'
import { publicRoute } from '../../server/routes'
import { handleStripeWebhook } from './webhook'

export const billingRoutes = [
  publicRoute.post(
    '/api/stripe/webhook',
    'billing.webhook',
    'Hear from Stripe, by its signature, that something became of a subscription',
    success,
    handleStripeWebhook,
    { refuses: [400, 404, 413] },
  ),
]
