import { done } from '../../protocol'
import { success } from '../../schema'
import { readText } from '../../server/body'
import { notFound } from '../../server/errors'
import { publicRoute, type RouteRequest } from '../../server/routes'
import { grantCustomerBilling } from './grants'
import { refreshSubscription } from './updateSubscription'

export const billingRoutes = [
  publicRoute.post(
    '/api/stripe/webhook',
    'billing.webhook',
    "Stripe's webhook, verified by its signature: a subscription changed",
    success,
    handleStripeWebhook,
    { refuses: [400, 404, 413] },
  ),
]

/** The event is only a hint to ask Stripe: late, repeated or reordered ones do no harm. Stripe resends what fails. */
async function handleStripeWebhook({ services, extendTimeout, request }: RouteRequest): Promise<Response> {
  if (!services.payments) throw notFound('No such endpoint')
  const customerId = await services.payments.customerInWebhook(
    await readText(request),
    request.headers.get('stripe-signature') ?? '',
  )
  const grant = customerId === null ? null : await grantCustomerBilling(services.db, customerId)
  if (!grant) return Response.json(done)
  extendTimeout()
  await refreshSubscription(services, grant)
  return Response.json(done)
}
