import { areMembers } from '../../../boards/server/lookup'
import { bumpVersions } from '../../../boards/server/store'
import { conflict } from '../../../server/errors'
import { toUsers } from '../../../server/live/hub'
import { grantAccount, grantOperatedBoard, grantOperatedInvitation } from '../grants'
import { givenBoardMail } from '../mails'
import { logDone, type Operating } from '../operating'
import { handOverBoard, revokeAnyInvitation } from './store'

/** Open pages read the board again, for their version of it is not the last. */
export async function handBoardOver(ctx: Operating, boardId: number, userId: number): Promise<void> {
  const grant = await grantOperatedBoard(ctx.db, ctx.grant, boardId)
  const { account } = await grantAccount(ctx.db, ctx.grant, userId)
  const { board } = grant
  if (board.createdBy === userId) throw conflict('They are its creator already.')
  if (account.disabledAt || !(await areMembers(ctx.db, [{ boardId, userId }])))
    throw conflict('Only a member whose account is not disabled can get the board.')
  await handOverBoard(ctx.db, grant, userId)
  await bumpVersions(ctx.db, [grant])
  const both = [userId, ...(board.createdBy === null ? [] : [board.createdBy])]
  ctx.outbox.push(toUsers(both, { type: 'boards_arranged', to: 'user', payload: {} }))
  if (account.emailVerified) await ctx.mail(givenBoardMail(account.email, board, ctx.services.origin()))
  logDone(ctx, `handed board ${boardId} over to ${account.username} (${userId})`)
}

export async function revokeInvitationOf(ctx: Operating, invitationId: number): Promise<void> {
  const grant = await grantOperatedInvitation(ctx.db, ctx.grant, invitationId)
  await revokeAnyInvitation(ctx.db, grant)
  await bumpVersions(ctx.db, [grant])
  logDone(ctx, `took back invitation ${invitationId} to board ${grant.board.id}`)
}
