import { assertInvitable } from '../../auth/server/ways'
import { announce } from '../../boards/server/announce'
import type { BoardGrant } from '../../boards/server/grants'
import type { Context } from '../../server/context'
import { conflict } from '../../server/errors'
import type { TransactionContext } from '../../server/transaction'
import { OPEN_INVITATIONS_MAX } from '../schema'
import { invitationMail } from './mails'
import { addInvitation } from './store'

type InviteContext = Context & TransactionContext & { grant: BoardGrant<'change'> }

/** Whoever is added at once is told by mail, too. Throws TOO_MANY_REQUESTS. */
export const countInvitation = ({ services, grant: { viewer, board } }: Pick<InviteContext, 'services' | 'grant'>) =>
  services.limits.consume('invitations', `by ${viewer.id}`, `on ${board.id}`)

/** Invites an address without an account by mail. Throws FORBIDDEN, CONFLICT, TOO_MANY_REQUESTS. */
export async function invite(ctx: InviteContext, email: string) {
  const { db, grant, services } = ctx
  const { viewer, board } = grant
  assertInvitable(services.config, email)
  await countInvitation(ctx)
  // Separate from the limit of sign-in links, so that being invited keeps nobody from signing in.
  await services.limits.consume('mails', `invited ${email}`)
  const added = await addInvitation(db, grant, email)
  if (!added) throw conflict(`This board has ${OPEN_INVITATIONS_MAX} open invitations. Revoke some of them first.`)
  const { invitation, token } = added
  await announce(ctx, grant, { type: 'invitation_changed', to: 'members', payload: { invitation } }, [])
  await ctx.mail(invitationMail(invitation, board, viewer, `${services.origin()}/invite?token=${token}`))
  const { invitedBy, ...answer } = invitation
  return answer
}
