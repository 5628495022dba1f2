import { done } from '../../schema'
import { readText } from '../../server/body'
import { notFound } from '../../server/errors'
import type { Asked } from '../../site/answers'
import { findByCustomer } from './store'
import { refresh } from './syncSubscription'

/**
 * Hears from Stripe that something became of a customer (contract.md, section 7). What became of them is asked of Stripe
 * itself: an event that comes late, twice or in another order says the same. What fails is answered so that Stripe tells
 * it again.
 */
export async function hearStripe({ context: { parts, takesLong }, request }: Asked): Promise<Response> {
  if (!parts.payments) throw notFound('There is no such call')
  const customerId = await parts.payments.heardOf(await readText(request), request.headers.get('stripe-signature') ?? '')
  const userId = customerId === null ? undefined : await findByCustomer(parts.db, customerId)
  if (userId === undefined) return Response.json(done)
  takesLong()
  await refresh(parts, userId)
  return Response.json(done)
}
