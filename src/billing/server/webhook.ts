import { done } from '../../schema'
import { readText } from '../../server/body'
import { notFound } from '../../server/errors'
import type { RouteRequest } from '../../server/routes'
import { findByCustomer } from './store'
import { refreshSubscription } from './syncSubscription'

/**
 * Hears from Stripe that a customer changed, and asks Stripe itself what they have: an event that comes late, twice or in
 * another order says the same. What fails is answered so that Stripe sends it again.
 */
export async function hearStripe({ services, extendTimeout, request }: RouteRequest): Promise<Response> {
  if (!services.payments) throw notFound('There is no such call')
  const customerId = await services.payments.heardOf(await readText(request), request.headers.get('stripe-signature') ?? '')
  const userId = customerId === null ? undefined : await findByCustomer(services.db, customerId)
  if (userId === undefined) return Response.json(done)
  extendTimeout()
  await refreshSubscription(services, userId)
  return Response.json(done)
}
