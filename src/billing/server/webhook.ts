import { done } from '../../schema'
import { readText } from '../../server/body'
import { notFound } from '../../server/errors'
import type { RouteRequest } from '../../server/routes'
import { grantCustomerBilling } from './grants'
import { refreshSubscription } from './updateSubscription'

/** The event is only a hint to ask Stripe: late, repeated or reordered ones do no harm. Stripe resends what fails. */
export async function handleStripeWebhook({ services, extendTimeout, request }: RouteRequest): Promise<Response> {
  if (!services.payments) throw notFound('There is no such call')
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
