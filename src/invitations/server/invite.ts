import { announce } from '../../boards/server/announce'
import type { BoardGrant } from '../../boards/server/grants'
import type { Context } from '../../server/context'
import { conflict } from '../../server/errors'
import type { TransactionContext } from '../../server/transaction'
import { OPEN_MAX } from '../schema'
import { invitationMail } from './mails'
import { addInvitation } from './store'

type Inviting = Context & TransactionContext & { grant: BoardGrant<'change'> }

/** Invites an address that has no account, by mail. Throws CONFLICT and TOO_MANY_REQUESTS. */
export async function invite(ctx: Inviting, email: string) {
  const { db, grant, services } = ctx
  const { viewer, board } = grant
  await services.limits.consume('invitations', `by ${viewer.id}`, `on ${board.id}`)
  // Counted apart from the links that the address asks for itself: nobody is kept from signing in by being invited.
  await services.limits.consume('mails', `invited ${email}`)
  const added = await addInvitation(db, grant, email)
  if (!added) throw conflict(`This board has ${OPEN_MAX} open invitations. Revoke some of them first.`)
  const { invitation, token } = added
  await announce(ctx, grant, { type: 'invitation_changed', to: 'members', payload: { invitation } }, [])
  await ctx.mail(invitationMail(invitation, board, viewer, `${services.origin()}/invite?token=${token}`))
  const { invitedBy: _, ...answer } = invitation
  return answer
}
