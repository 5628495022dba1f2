import { announceFromOutside } from '../../../boards/server/announce'
import { assertHandedOverFits, handOverBoard } from '../../../boards/server/store'
import { findOwn } from '../../../users/server/lookup'
import { grantAccount, grantHandOver, grantOperatedBoard, grantOperatedInvitation } from '../grants'
import { givenBoardMail, takenBoardMail } from '../mails'
import { logDone, type Operating } from '../operating'
import { revokeAnyInvitation } from './store'

export async function handBoardOver(ctx: Operating, boardId: number, userId: number): Promise<void> {
  const grant = await grantOperatedBoard(ctx.db, ctx.grant, boardId)
  const to = await grantAccount(ctx.db, ctx.grant, userId)
  const { account, viewer } = to
  const { createdBy } = grant.board
  const before = createdBy === null ? undefined : await findOwn(ctx.db, createdBy)
  await handOverBoard(ctx.db, await grantHandOver(ctx.db, grant, to))
  await assertHandedOverFits(ctx, account, [grant.board])
  await announceFromOutside(ctx, grant, { type: 'board_handed_over', to: 'members', payload: { createdBy: userId } })
  const { config, origin } = ctx.services
  if (before?.emailVerified)
    await ctx.mail(takenBoardMail(before.email, grant.board.name, viewer?.username ?? null, config.supportEmail))
  if (account.emailVerified) await ctx.mail(givenBoardMail(account.email, grant.board, origin()))
  logDone(ctx, `handed board ${boardId} over to ${account.username} (${userId})`)
}

export async function revokeInvitationOf(ctx: Operating, invitationId: number): Promise<void> {
  const grant = await grantOperatedInvitation(ctx.db, ctx.grant, invitationId)
  const invitation = await revokeAnyInvitation(ctx.db, grant)
  await announceFromOutside(ctx, grant, { type: 'invitation_changed', to: 'members', payload: { invitation } })
  logDone(ctx, `took back invitation ${invitationId} to board ${grant.board.id}`)
}
