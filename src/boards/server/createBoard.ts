import type { NewActivity } from '../../activity/schema'
import { boardEvents } from '../../activity/server/activityEvents'
import type { Context } from '../../server/context'
import { forbidden } from '../../server/errors'
import type { SignedIn } from '../../server/signedIn'
import type { TransactionContext } from '../../server/transaction'
import { type Board, FREE_LIMIT, type NewBoard } from '../schema'
import { announce } from './announce'
import { type BoardGrant, grantCreated } from './grants'
import { insertBoard, readBoard } from './store'

type CreatingContext = Context & TransactionContext & { viewer: SignedIn }

/** Creates a board, lets `fill` put on it what it begins with, and announces it. Throws FORBIDDEN. */
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
