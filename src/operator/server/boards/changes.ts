import { announceFromOutside } from '../../../boards/server/announce'
import { handOverBoard } from '../../../boards/server/store'
import { grantAccount, grantHandOver, grantOperatedBoard, grantOperatedInvitation } from '../grants'
import { givenBoardMail } from '../mails'
import { logDone, type Operating } from '../operating'
import { revokeAnyInvitation } from './store'

export async function handBoardOver(ctx: Operating, boardId: number, userId: number): Promise<void> {
  const grant = await grantOperatedBoard(ctx.db, ctx.grant, boardId)
  const to = await grantAccount(ctx.db, ctx.grant, userId)
  const { account } = to
  await handOverBoard(ctx.db, await grantHandOver(ctx.db, grant, to))
  await announceFromOutside(ctx, grant, { type: 'board_handed_over', to: 'members', payload: { createdBy: userId } })
  if (account.emailVerified) await ctx.mail(givenBoardMail(account.email, grant.board, ctx.services.origin()))
  logDone(ctx, `handed board ${boardId} over to ${account.username} (${userId})`)
}

export async function revokeInvitationOf(ctx: Operating, invitationId: number): Promise<void> {
  const grant = await grantOperatedInvitation(ctx.db, ctx.grant, invitationId)
  const invitation = await revokeAnyInvitation(ctx.db, grant)
  await announceFromOutside(ctx, grant, { type: 'invitation_changed', to: 'members', payload: { invitation } })
  logDone(ctx, `took back invitation ${invitationId} to board ${grant.board.id}`)
}
