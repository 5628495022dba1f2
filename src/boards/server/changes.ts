import { revokeInvitationsBy } from '../../invitations/server/store'
import type { Context } from '../../server/context'
import { forbidden, notFound } from '../../server/errors'
import type { SignedIn } from '../../server/signedIn'
import type { TransactionContext } from '../../server/transaction'
import { completeTimersOfMember, pauseTimersOfBoard } from '../../time/server/timers'
import { type ActivityEvent, boardEvents, type NewActivity } from '../activity'
import { type Board, FREE_LIMIT, type NewBoard } from '../schema'
import { type AnnounceContext, announce } from './announce'
import { markDeleted } from './deleted.store'
import { type BoardGrant, type DeletionGrant, grantCreated, type MemberGrant } from './grants'
import { memberIds } from './lookup'
import { insertBoard, readBoard, removeMember } from './store'

type CreatingContext = Context & TransactionContext & { viewer: SignedIn }

export async function createBoard(
  ctx: CreatingContext,
  given: NewBoard,
  fill?: (grant: BoardGrant<'change'>) => Promise<NewActivity[]>,
): Promise<Board> {
  const boardId = await insertBoard(ctx.db, ctx.viewer, given)
  if (boardId === null) throw forbidden(FREE_LIMIT, { requiresUpgrade: true })
  const grant = await grantCreated(ctx.db, ctx.viewer, boardId)
  const { members } = await readBoard(ctx.db, grant)
  const activities = [...boardEvents({ kind: 'board_created', detail: {} }), ...((await fill?.(grant)) ?? [])]
  for (const user of members)
    await announce(ctx, grant, { type: 'board_member_added', to: 'members', payload: { user } }, activities)
  return readBoard(ctx.db, grant)
}

export async function deleteBoard(ctx: AnnounceContext & { sweep(): void }, grant: DeletionGrant): Promise<void> {
  const { db, outbox, sweep } = ctx
  const boardId = grant.board.id
  await pauseTimersOfBoard(db, grant)
  const version = await announce(ctx, grant, { type: 'board_deleted', to: 'members', payload: {} }, [])
  for (const userId of await memberIds(db, boardId)) outbox.push({ do: 'leaveBoard', userId, boardId, version })
  await markDeleted(db, grant)
  sweep()
}

/** Throws NOT_FOUND. */
export async function endMembership(ctx: AnnounceContext, grant: MemberGrant): Promise<void> {
  const { viewer, board, memberId: userId } = grant
  await completeTimersOfMember(ctx, grant)
  // Announced first, so that the removed member receives it.
  const version = await announce(
    ctx,
    grant,
    { type: 'board_member_removed', to: 'members', payload: { userId } },
    boardEvents(userId === viewer.id ? { kind: 'member_left', detail: {} } : { kind: 'member_removed', detail: { userId } }),
  )
  if (!(await removeMember(ctx.db, grant))) throw notFound('This person is not a member of the board.')
  await revokeInvitationsBy(ctx.db, grant)
  ctx.outbox.push({ do: 'leaveBoard', userId, boardId: board.id, version })
}

type BoardText = Pick<Board, 'name' | 'description'>

export function boardChangeEvents(before: BoardText, after: BoardText): ActivityEvent[] {
  const events: ActivityEvent[] = []
  if (after.name !== before.name) events.push({ kind: 'board_renamed', detail: { from: before.name, to: after.name } })
  if (after.description !== before.description) events.push({ kind: 'board_described', detail: {} })
  return events
}
