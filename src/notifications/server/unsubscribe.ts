import { done } from '../../schema'
import { badRequest, notFound } from '../../server/errors'
import { type Context, commit } from '../../server/trpc'
import { tellOwnPages } from '../../users/server/announceProfile'
import { setNotifications, whoseLink } from '../../users/server/store'
import { unsubscription } from '../schema'

/**
 * Ends the mails of one kind, or all, for whoever's link it is, signed in or not. Mail programs post to it by themselves
 * (RFC 8058); whoever follows the link sees a page first, as mail scanners follow links too.
 */
export async function endMails({ context, request }: { context: Context; request: Request }): Promise<Response> {
  const given = unsubscription.safeParse(Object.fromEntries(new URL(request.url).searchParams))
  if (!given.success) throw badRequest('This link is not complete.')
  const { parts, address } = context
  const { token, from } = given.data
  const userId = await whoseLink(parts.db, token)
  // Only what is no link is counted: a mail provider sends those of all its people from a few addresses.
  if (userId === undefined) {
    await parts.limits.spend('unknownLinks', address)
    throw notFound('This link does not work any more.')
  }
  await commit(parts, async ({ db, outbox }) => tellOwnPages(outbox, await setNotifications(db, userId, { [from]: false })))
  return Response.json(done)
}
