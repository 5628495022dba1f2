import { z } from 'zod'
import { boardEvents } from '../../activity/server/activityEvents'
import { proveAddress } from '../../auth/server/proveAddress'
import { boardInput } from '../../boards/schema'
import { announce, announceFromOutside } from '../../boards/server/announce'
import { onBoard, readsBoard } from '../../boards/server/procedures'
import { notify } from '../../notifications/server/notify'
import { done, id } from '../../schema'
import type { Context } from '../../server/context'
import { notFound } from '../../server/errors'
import { requireSignedIn } from '../../server/signedIn'
import { inTransaction, once, type TransactionContext } from '../../server/transaction'
import { mutation, publicProcedure, router } from '../../server/trpc'
import type { OwnUser } from '../../users/schema'
import { BOARD_GONE, invitationLink } from '../schema'
import { grantAddress, grantDeclining, grantJoining, grantRevocation, noInvitation } from './grants'
import { findInvitation, findInvitedBoard } from './lookup'
import { acceptInvitation, declineInvitation, endInvitationsTo, listInvitations, revokeInvitation } from './store'

export const invitationsRouter = router({
  list: readsBoard.query(({ ctx }) => listInvitations(ctx.db, ctx.grant)),

  revoke: onBoard('change')
    .meta({ deletes: true })
    .input(z.object({ invitationId: id }))
    .mutation(async ({ ctx, input }) => {
      const grant = await grantRevocation(ctx.db, ctx.grant, input.invitationId)
      const invitation = await revokeInvitation(ctx.db, grant)
      await ctx.announce({ type: 'invitation_changed', to: 'members', payload: { invitation } }, [])
      return done
    }),

  get: publicProcedure.input(invitationLink).query(async ({ ctx, input }) => {
    const found = await findInvitation(ctx.db, input)
    if (!found) throw await noInvitation(ctx.db, input)
    return { board: found.board, email: found.email, inviter: found.inviter, expiresAt: found.expiresAt.toISOString() }
  }),

  accept: mutation.input(invitationLink).mutation(async ({ ctx, input }) => {
    return join(ctx, await grantJoining(ctx.db, ctx.viewer, input))
  }),

  /** Needs no account: the link is the key, and nobody makes one to say no. */
  decline: publicProcedure.input(invitationLink).mutation(({ ctx, input }): Promise<typeof done> => {
    const decline = async (transaction: TransactionContext) => {
      const grant = await grantDeclining(transaction.db, input)
      const invitation = await declineInvitation(transaction.db, grant)
      await announceFromOutside(transaction, grant, { type: 'invitation_changed', to: 'members', payload: { invitation } })
      const { email, invitedBy } = invitation
      const isTold = ctx.session?.user.id !== invitedBy
      if (isTold) await notify({ ...transaction, services: ctx.services, grant }, 'declined', [invitedBy], { detail: email })
      return done
    }
    if (!ctx.session) return inTransaction(ctx, decline, 'deletes')
    return once({ ...ctx, viewer: requireSignedIn(ctx.session) }, decline, 'deletes')
  }),

  /** For links with only a board id: guessing one reveals at most a name. */
  legacy: publicProcedure.input(boardInput).query(async ({ ctx, input }) => {
    await ctx.services.limits.consume('boardNames', ctx.address())
    const board = await findInvitedBoard(ctx.db, input.boardId, ctx.session?.user)
    if (!board) throw notFound(BOARD_GONE)
    return board
  }),

  acceptLegacy: mutation.input(boardInput).mutation(async ({ ctx, input }) => {
    return join(ctx, await grantJoining(ctx.db, ctx.viewer, input))
  }),
})

async function join(ctx: Context & TransactionContext, grant: Awaited<ReturnType<typeof grantJoining>>) {
  const { id, name } = grant.board
  const answer = { ...done, board: { id, name } }
  const address = grant.invitation ? grantAddress(grant) : grant.address
  if (address) await proveAddress(ctx, address)
  if (!grant.invitation) return answer
  const { viewer, invitation } = grant
  const user = await acceptInvitation(ctx.db, grant)
  const invitationIds = [invitation.id, ...(await endInvitationsTo(ctx.db, grant, viewer.id))]
  await announce(
    ctx,
    grant,
    { type: 'board_member_added', to: 'members', payload: { user, invitationIds } },
    boardEvents({ kind: 'member_joined', detail: {} }),
  )
  const detail = otherAddressDetail(viewer, invitation.email)
  await notify({ ...ctx, grant }, 'joined', [invitation.invitedBy], detail === null ? null : { detail })
  return answer
}

/** The link may have been passed on, so the inviter learns if another address used it. */
const otherAddressDetail = ({ email, emailVerified }: Pick<OwnUser, 'email' | 'emailVerified'>, invited: string) => {
  if (email === invited) return null
  return `They joined as ${email}${emailVerified ? '' : ', which is not confirmed'}; the invitation was sent to ${invited}.`
}
