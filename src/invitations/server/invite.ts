import { assertInvitable } from '../../auth/server/signUpRules'
import { type AnnounceContext, announce } from '../../boards/server/announce'
import type { BoardGrant } from '../../boards/server/grants'
import { notify } from '../../notifications/server/notify'
import { wasInvitedLately } from '../../notifications/server/store'
import type { Context } from '../../server/context'
import { conflict, forbidden } from '../../server/errors'
import type { TransactionContext } from '../../server/transaction'
import { INVITATION_DAYS, LINKS_OFF, OPEN_INVITATIONS_MAX, OPEN_LINKS_MAX, type SentInvitation } from '../schema'
import { invitationMail } from './mails'
import { addInvitation, type Invited, insertInviteLink, revokeLinks } from './store'

type InviteContext = Context & TransactionContext & { grant: BoardGrant<'change'> }

export const countInvitation = ({ services, grant: { viewer, board } }: Pick<InviteContext, 'services' | 'grant'>) =>
  services.limits.consume('invitations', `by ${viewer.id}`, `on ${board.id}`)

/** Emails an invitation to an address without a visible account. Throws FORBIDDEN, CONFLICT, TOO_MANY_REQUESTS. */
export async function invite(ctx: InviteContext, email: string): Promise<SentInvitation> {
  const { grant, services } = ctx
  const { viewer, board } = grant
  assertInvitable(services.config, email)
  await countInvitation(ctx)
  // Separate from the limit on sign-in links, so that invitations keep nobody from signing in.
  await services.limits.consume('mails', `invited ${email}`)
  // Without a mail server it would never arrive.
  const shown = !services.config.smtpUrl
  const { answer, token } = await addAnnounced(ctx, { email, shown })
  const link = linkOf(ctx, token)
  await ctx.mail(invitationMail(email, board, viewer, link))
  return { ...answer, ...(shown ? { link } : {}) }
}

const linkOf = ({ services }: Pick<InviteContext, 'services'>, token: string) => `${services.origin()}/invite?token=${token}`

/** Makes an invite link, which lets anyone with an account join. Throws FORBIDDEN, CONFLICT, TOO_MANY_REQUESTS. */
export async function createInviteLink(ctx: InviteContext) {
  if (!ctx.grant.board.inviteLinks) throw forbidden(LINKS_OFF)
  await countInvitation(ctx)
  const added = await insertInviteLink(ctx.db, ctx.grant)
  if (!added) throw conflict(`This board has reached its limit of ${OPEN_LINKS_MAX} invite links. Revoke some first.`)
  const { invitation, token } = added
  await announce(ctx, ctx.grant, { type: 'invitation_changed', to: 'members', payload: { invitation } }, [])
  return { link: linkOf(ctx, token), invitation }
}

export async function revokeInviteLinks(ctx: AnnounceContext & { grant: BoardGrant<'edit'> }): Promise<void> {
  for (const invitation of await revokeLinks(ctx.db, ctx.grant))
    await announce(ctx, ctx.grant, { type: 'invitation_changed', to: 'members', payload: { invitation } }, [])
}

/** Invites a former member, who is notified once in seven days. Throws CONFLICT. */
export async function inviteAccount(ctx: InviteContext, userId: number) {
  const { answer } = await addAnnounced(ctx, { userId })
  if (!(await wasInvitedLately(ctx.db, ctx.grant, userId, INVITATION_DAYS))) await notify(ctx, 'invited', [userId])
  return answer
}

async function addAnnounced(ctx: InviteContext, to: Invited) {
  const added = await addInvitation(ctx.db, ctx.grant, to)
  if (!added) throw conflict(`This board has reached its limit of ${OPEN_INVITATIONS_MAX} open invitations. Revoke some first.`)
  const { invitation, token } = added
  await announce(ctx, ctx.grant, { type: 'invitation_changed', to: 'members', payload: { invitation } }, [])
  const { invitedBy: _, ...answer } = invitation
  return { answer, token }
}
