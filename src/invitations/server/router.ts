import { z } from 'zod'
import { did } from '../../activity/server/store'
import { notify } from '../../notifications/server/notify'
import { done, id } from '../../schema'
import { conflict, notFound } from '../../server/errors'
import { type BoardGrant, grantJoining, grantRevocation, type JoinGrant } from '../../server/grants'
import { acting, announcing, anyone, type Context, onBoard, readsBoard, router, type Within } from '../../server/trpc'
import { type OwnUser, userSummary } from '../../users/schema'
import { BOARD_GONE, INVALID, invitationLink, OPEN_MAX } from '../schema'
import { invitationMail } from './mails'
import {
  acceptInvitation,
  addInvitation,
  endInvitationsTo,
  findInvitation,
  findInvitedBoard,
  listInvitations,
  revokeInvitation,
} from './store'

const byNumber = z.object({ boardId: id })

export const invitationsRouter = router({
  /** The open invitations of a board, for its members. */
  list: readsBoard.query(({ ctx }) => listInvitations(ctx.db, ctx.grant)),

  revoke: onBoard('change')
    .input(z.object({ invitationId: id }))
    .mutation(async ({ ctx, input }) => {
      const grant = await grantRevocation(ctx.db, ctx.grant, input.invitationId)
      await ctx.announce({ type: 'invitation_changed', payload: { invitation: await revokeInvitation(ctx.db, grant) } }, [])
      return done
    }),

  /** What a link invites to, for whoever holds it. */
  get: anyone.input(invitationLink).query(async ({ ctx, input }) => {
    const found = await findInvitation(ctx.db, input)
    if (!found) throw notFound(INVALID)
    return { board: found.board, email: found.email, expiresAt: found.expiresAt.toISOString() }
  }),

  accept: acting.input(invitationLink).mutation(async ({ ctx, input }) => {
    return join(ctx, await grantJoining(ctx.db, ctx.viewer, input))
  }),

  /** What a link that only names a board invites to; a guessed number learns a name at most (contract.md, section 3). */
  legacy: anyone.input(byNumber).query(async ({ ctx, input }) => {
    const board = await findInvitedBoard(ctx.db, input.boardId, ctx.session?.user.id ?? 0)
    if (!board) throw notFound(BOARD_GONE)
    return board
  }),

  acceptLegacy: acting.input(byNumber).mutation(async ({ ctx, input }) => {
    return join(ctx, await grantJoining(ctx.db, ctx.viewer, input))
  }),
})

type Inviting = Context & Within & { viewer: OwnUser; grant: BoardGrant<'change'>; announce: ReturnType<typeof announcing> }

/** Invites an address that has no account, by mail. Throws CONFLICT and TOO_MANY_REQUESTS. */
export async function invite(ctx: Inviting, email: string) {
  const { db, grant, viewer, parts } = ctx
  await parts.limits.spend('invitations', `by ${viewer.id}`, `on ${grant.board.id}`)
  // Counted apart from the links that the address asks for itself: nobody is kept from signing in by being invited.
  await parts.limits.spend('mails', `invited ${email}`)
  const added = await addInvitation(db, grant, email)
  if (!added) throw conflict(`This board has ${OPEN_MAX} open invitations. Revoke some of them first.`)
  const { invitation, token } = added
  await ctx.announce({ type: 'invitation_changed', payload: { invitation } }, [])
  await ctx.mail(invitationMail(invitation, grant.board, viewer, `${parts.origin()}/invite?token=${token}`))
  const { invitedBy: _, ...answer } = invitation
  return answer
}

type Joining = Context & Within & { viewer: OwnUser }

async function join(ctx: Joining, grant: JoinGrant | { board: JoinGrant['board']; invitation: null }) {
  const { id, name } = grant.board
  const answer = { ...done, board: { id, name } }
  // A member joins nothing, and leaves the invitation to whoever it was sent to.
  if (!grant.invitation) return answer
  const { db, viewer } = ctx
  await acceptInvitation(db, grant)
  const invitationIds = [grant.invitation.id, ...(await endInvitationsTo(db, grant.board, viewer.id))]
  await announcing(ctx, id)(
    { type: 'board_member_added', payload: { user: userSummary.parse(viewer), invitationIds } },
    did(null, { kind: 'member_joined', detail: {} }),
  )
  const detail = whoCame(viewer.email, grant.invitation.email)
  await notify({ ...ctx, grant }, 'joined', [grant.invitation.invitedBy], detail === null ? null : { detail })
  return answer
}

/** The link may have been handed on: where somebody else used it than was meant, the inviter reads so (contract.md, section 3). */
const whoCame = (came: string, invited: string) =>
  came === invited ? null : `They joined as ${came}; the invitation was sent to ${invited}.`
