import { z } from 'zod'
import { proveAddress } from '../../auth/server/mailedLinks'
import { boardEvents } from '../../boards/activity'
import { boardInput } from '../../boards/schema'
import { announce, announceFromOutside } from '../../boards/server/announce'
import { grantBoard } from '../../boards/server/grants'
import { onBoard, readsBoard } from '../../boards/server/procedures'
import { notify } from '../../notifications/server/notify'
import { done } from '../../protocol'
import { id, success } from '../../schema'
import type { Context } from '../../server/context'
import { notFound } from '../../server/errors'
import { restCalls } from '../../server/rest'
import { requireSignedIn } from '../../server/signedIn'
import { CHANGE_BYTES, inTransaction, once, type TransactionContext } from '../../server/transaction'
import { mutation, protectedProcedure, publicProcedure, router } from '../../server/trpc'
import type { OwnUser } from '../../users/schema'
import {
  BOARD_GONE,
  invitationLink,
  invitationPreview,
  invitedName,
  isLink,
  joinResult,
  legacyInvitationPreview,
  madeLink,
  openInvitation,
  sentInvitation,
} from '../schema'
import { grantAddress, grantDeclining, grantJoining, grantRevocation, noInvitation } from './grants'
import { createInviteLink } from './invite'
import { findInvitation, findInvitedBoard, type InvitationKey } from './lookup'
import { acceptInvitation, declineInvitation, endInvitationsTo, listInvitations, revokeInvitation } from './store'

const invitationsRouter = router({
  list: readsBoard.query(({ ctx }) => listInvitations(ctx.db, ctx.grant)),

  revoke: onBoard('change')
    .meta({ kind: 'deletes' })
    .input(z.object({ invitationId: id }))
    .mutation(async ({ ctx, input }) => {
      const grant = await grantRevocation(ctx.db, ctx.grant, input.invitationId)
      const invitation = await revokeInvitation(ctx.db, grant)
      await ctx.announce({ type: 'invitation_changed', to: 'members', payload: { invitation } }, [])
      return done
    }),

  /** Not stored, so not repeated under a key either. */
  makeLink: protectedProcedure.input(boardInput).mutation(({ ctx, input }) => {
    const make = () =>
      inTransaction(ctx, async (transaction) => {
        const grant = await grantBoard(transaction.db, ctx.viewer, input.boardId, 'change')
        return createInviteLink({ ...ctx, ...transaction, grant })
      })
    return ctx.services.accountQuota.storing(ctx.viewer.id, CHANGE_BYTES, make)
  }),

  get: publicProcedure.input(invitationLink).query(async ({ ctx, input }) => {
    const found = await findInvitation(ctx.db, input, ctx.session?.user.id ?? 0)
    if (!found) throw await noInvitation(ctx.db, input)
    const email = found.email ?? ''
    return { board: found.board, email, inviter: found.inviter, expiresAt: found.expiresAt.toISOString() }
  }),

  accept: mutation.input(invitationLink).mutation(async ({ ctx, input }) => {
    return join(ctx, await grantJoining(ctx.db, ctx.viewer, input))
  }),

  /** Needs no account: the link is the key. */
  decline: publicProcedure.input(invitationLink).mutation(({ ctx, input }): Promise<typeof done> => {
    const work = (transaction: TransactionContext) => decline(transaction, ctx, input)
    if (!ctx.session) return inTransaction(ctx, work, 'deletes')
    return once({ ...ctx, viewer: requireSignedIn(ctx.session).user }, work, 'deletes')
  }),

  /** For links with only a board id, as former members get in the inbox: guessing one reveals at most a name. */
  legacy: publicProcedure.input(boardInput).query(async ({ ctx, input: { boardId } }) => {
    await ctx.services.limits.consumeFrom('boardNames', ctx.address)
    const viewer = ctx.session && requireSignedIn(ctx.session).user
    const own = viewer && (await findInvitation(ctx.db, { boardId, invited: viewer }, viewer.id))
    if (own) return { ...own.board, inviter: own.inviter, expiresAt: own.expiresAt.toISOString() }
    const board = await findInvitedBoard(ctx.db, boardId, ctx.session?.user)
    if (!board) throw notFound(BOARD_GONE)
    return board
  }),

  acceptLegacy: mutation.input(boardInput).mutation(async ({ ctx, input }) => {
    return join(ctx, await grantJoining(ctx.db, ctx.viewer, { ...input, invited: ctx.viewer }))
  }),

  declineLegacy: mutation
    .meta({ kind: 'deletes' })
    .input(boardInput)
    .mutation(({ ctx, input }) => decline(ctx, ctx, { ...input, invited: ctx.viewer })),
})

type Caller = Pick<Context, 'services' | 'session'>

async function decline(transaction: TransactionContext, { services, session }: Caller, by: InvitationKey) {
  const grant = await grantDeclining(transaction.db, by)
  const invitation = await declineInvitation(transaction.db, grant)
  await announceFromOutside(transaction, grant, { type: 'invitation_changed', to: 'members', payload: { invitation } })
  const { invitedBy } = invitation
  const detail = invitedName(invitation)
  if (session?.user.id !== invitedBy) await notify({ ...transaction, services, grant }, 'declined', [invitedBy], { detail })
  return done
}

async function join(ctx: Context & TransactionContext, grant: Awaited<ReturnType<typeof grantJoining>>) {
  const { id, name } = grant.board
  const answer = { ...done, board: { id, name } }
  const address = grant.invitation ? grantAddress(grant) : grant.address
  if (address) await proveAddress(ctx, address)
  if (!grant.invitation) return answer
  const { viewer, invitation } = grant
  const user = await acceptInvitation(ctx.db, grant)
  const ended = await endInvitationsTo(ctx.db, grant, viewer.id)
  const invitationIds = isLink(invitation) ? ended : [invitation.id, ...ended]
  await announce(
    ctx,
    grant,
    { type: 'board_member_added', to: 'members', payload: { user, ...(invitationIds.length > 0 && { invitationIds }) } },
    boardEvents({ kind: 'member_joined', detail: {} }),
  )
  const detail = isLink(invitation) ? BY_LINK : otherAddressDetail(viewer, invitation.email)
  await notify({ ...ctx, grant }, 'joined', [invitation.invitedBy], detail === null ? null : { detail })
  return answer
}

const BY_LINK = 'They joined through an invite link you created.'

/** The link may have been passed on: the inviter learns if another address used it, but not which. */
const otherAddressDetail = ({ email, emailVerified }: Pick<OwnUser, 'email' | 'emailVerified'>, invited: string | null) => {
  if (invited === null || email === invited) return null
  return `The invitation was sent to ${invited}; they joined with another email${emailVerified ? '' : ', which is not confirmed'}.`
}

const { get, post, create, remove } = restCalls('invitations', invitationsRouter)

const invitationsRest = [
  get(
    '/api/boards/:boardId/invitations',
    'list',
    'Invitations that nobody has used, including those that expired in the last 30 days',
    z.array(openInvitation),
  ),
  remove('/api/boards/:boardId/invitations/:invitationId', 'revoke', 'Revoke an invitation', success),
  create(
    '/api/boards/:boardId/invite-links',
    'makeLink',
    'Create an invite link, shown once; anyone with an account can join with it for seven days',
    madeLink,
  ),
  get('/api/boards/:boardId/info', 'legacy', 'The name of the board of an invitation', legacyInvitationPreview),
  post('/api/boards/:boardId/join', 'acceptLegacy', 'Join a board that your account or email is invited to', joinResult),
  post('/api/boards/:boardId/decline', 'declineLegacy', 'Decline an invitation of your account or email', success),
  get('/api/invitations/:token', 'get', 'The invitation behind a link', invitationPreview),
  post('/api/invitations/:token/accept', 'accept', 'Join a board by an invitation link, once', joinResult),
  post('/api/invitations/:token/decline', 'decline', 'Decline an invitation by its link, which then stops working', success),
]

export const invitationsDomain = {
  router: invitationsRouter,
  rest: invitationsRest,
  shapes: {
    Invitation: sentInvitation,
    OpenInvitation: openInvitation,
    InviteLink: madeLink,
    InvitationPreview: invitationPreview,
    LegacyInvitationPreview: legacyInvitationPreview,
    JoinResult: joinResult,
  },
}
