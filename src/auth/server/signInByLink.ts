import type { z } from 'zod'
import type { Context } from '../../server/context'
import { notFound, unauthorized } from '../../server/errors'
import { inTransaction } from '../../server/transaction'
import type { OwnUser } from '../../users/schema'
import { LINK_MINUTES, type LinkPurpose, type verification } from '../schema'
import { findAccount } from './lookup'
import { signIn } from './sessions'
import { consumeLink, findOrCreateDeveloper } from './store'

/** A link works once. Throws UNAUTHORIZED. */
export const verifyLink = (
  ctx: Context,
  { token, remember }: z.output<typeof verification>,
): Promise<{ user: OwnUser; purpose: LinkPurpose }> =>
  inTransaction(ctx, async (transaction) => {
    const link = await consumeLink(transaction.db, token)
    const account = link && (await findAccount(transaction.db, link.email))
    if (!account) throw unauthorized('This link is invalid or has expired.')
    const mayResetUntil = link.purpose === 'reset' ? new Date(Date.now() + LINK_MINUTES * 60_000) : undefined
    await signIn(ctx, account.user.id, { remember, mayResetUntil }, transaction)
    return { user: account.user, purpose: link.purpose }
  })

/** Throws NOT_FOUND in production. */
export async function signInDeveloper(ctx: Context): Promise<OwnUser> {
  if (ctx.services.config.production) throw notFound()
  const user = await findOrCreateDeveloper(ctx.services.db)
  await inTransaction(ctx, (transaction) => signIn(ctx, user.id, { remember: true }, transaction))
  return user
}
