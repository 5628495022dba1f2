import { done } from '../../protocol'
import { success } from '../../schema'
import { badRequest, notFound } from '../../server/errors'
import { publicRoute, queryOf, type RouteRequest } from '../../server/routes'
import { inTransaction } from '../../server/transaction'
import { announceAccount } from '../../users/server/changes'
import { grantUnsubscribing } from '../../users/server/grants'
import { setNotifications } from '../../users/server/store'
import { unsubscription } from '../schema'

export const notificationsRoutes = [
  publicRoute.post(
    '/unsubscribe',
    'notifications.unsubscribe',
    "Unsubscribe from one kind of email (from) or all, with the token of an email's link; RFC 8058",
    success,
    unsubscribe,
    { refuses: [400, 404, 429] },
  ),
]

/** Needs no session: mail programs post to it (RFC 8058). The link in a mail opens a page first, because scanners follow links. */
async function unsubscribe(ctx: RouteRequest): Promise<Response> {
  const { services, address, request } = ctx
  const given = unsubscription.safeParse(queryOf(request))
  if (!given.success) throw badRequest('This link is incomplete.')
  const { token, from } = given.data
  const grant = await grantUnsubscribing(services.db, token)
  // Only invalid links are limited: mail providers post for many users from a few addresses.
  if (!grant) {
    await services.limits.consumeFrom('unknownLinks', address)
    throw notFound('This link no longer works.')
  }
  await inTransaction(ctx, async ({ db, outbox }) =>
    announceAccount(outbox, await setNotifications(db, grant, { [from]: false })),
  )
  return Response.json(done)
}
