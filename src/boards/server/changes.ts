import type { ActivityEvent, NewActivity } from '../../activity/schema'
import { boardEvents } from '../../activity/server/store'
import type { Context } from '../../server/context'
import { forbidden } from '../../server/errors'
import type { SignedIn } from '../../server/signedIn'
import type { TransactionContext } from '../../server/transaction'
import { grantTimersOfBoard } from '../../time/server/grants'
import { databaseNow } from '../../time/server/lookup'
import { pauseForDeletion } from '../../time/server/timers.store'
import { type Board, FREE_LIMIT, type NewBoard } from '../schema'
import { type AnnounceContext, announce } from './announce'
import { markDeleted } from './deleted.store'
import { type BoardGrant, type DeletionGrant, grantCreated } from './grants'
import { memberIds } from './lookup'
import { insertBoard, readBoard } from './store'

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
  await pauseForDeletion(db, await grantTimersOfBoard(db, grant), await databaseNow(db))
  const version = await announce(ctx, grant, { type: 'board_deleted', to: 'members', payload: {} }, [])
  for (const userId of await memberIds(db, boardId)) outbox.push({ do: 'leaveBoard', userId, boardId, version })
  await markDeleted(db, grant)
  sweep()
}

type BoardText = Pick<Board, 'name' | 'description'>

export function boardChangeEvents(before: BoardText, after: BoardText): ActivityEvent[] {
  const events: ActivityEvent[] = []
  if (after.name !== before.name) events.push({ kind: 'board_renamed', detail: { from: before.name, to: after.name } })
  if (after.description !== before.description) events.push({ kind: 'board_described', detail: {} })
  return events
}
