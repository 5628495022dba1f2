import { done } from '../../schema'
import { badRequest, notFound } from '../../server/errors'
import { queryOf, type RouteRequest } from '../../server/routes'
import { inTransaction } from '../../server/transaction'
import { announceAccount } from '../../users/server/announceProfile'
import { grantUnsubscribing } from '../../users/server/grants'
import { setNotifications } from '../../users/server/store'
import { unsubscription } from '../schema'

/**
 * Ends the mails of one kind, or all, for whoever's link it is, signed in or not. Mail programs post to it by themselves
 * (RFC 8058); whoever follows the link sees a page first, as mail scanners follow links too.
 */
export async function endMails({ services, address, request }: RouteRequest): Promise<Response> {
  const given = unsubscription.safeParse(queryOf(request))
  if (!given.success) throw badRequest('This link is not complete.')
  const { token, from } = given.data
  const grant = await grantUnsubscribing(services.db, token)
  // Only what is no link is counted: a mail provider sends those of all its people from a few addresses.
  if (!grant) {
    await services.limits.consume('unknownLinks', address)
    throw notFound('This link does not work any more.')
  }
  await inTransaction(services, async ({ db, outbox }) =>
    announceAccount(outbox, await setNotifications(db, grant, { [from]: false })),
  )
  return Response.json(done)
}
