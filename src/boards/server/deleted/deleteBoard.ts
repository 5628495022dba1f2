import { databaseNow } from '../../../time/entries/server/lookup'
import { grantTimersOfBoard } from '../../../time/timers/server/grants'
import { pauseForDeletion } from '../../../time/timers/server/store'
import { type AnnounceContext, announce } from '../announce'
import type { DeletionGrant } from '../grants'
import { memberIds } from '../lookup'
import { markDeleted } from './store'

export async function deleteBoard(ctx: AnnounceContext & { sweep(): void }, grant: DeletionGrant): Promise<void> {
  const { db, outbox, sweep } = ctx
  const boardId = grant.board.id
  await pauseForDeletion(db, await grantTimersOfBoard(db, grant), await databaseNow(db))
  const version = await announce(ctx, grant, { type: 'board_deleted', to: 'members', payload: {} }, [])
  for (const userId of await memberIds(db, boardId)) outbox.push({ do: 'leaveBoard', userId, boardId, version })
  await markDeleted(db, grant)
  sweep()
}
