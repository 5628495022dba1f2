import type { AnnounceContext } from '../../boards/server/announce'
import type { DeletionGrant, MemberGrant } from '../../boards/server/grants'
import type { Db } from '../../db/database'
import type { TaskGrant } from '../../tasks/server/grants'
import { grantTimersOfBoard, grantTimersOfMember, grantTimersOfTask } from './grants'
import { databaseNow } from './lookup'
import { announceEntry } from './procedures'
import { endTimers, pauseForDeletion } from './timers.store'

/** Before a task is deleted. */
export async function pauseTimersOfTask(ctx: AnnounceContext, grant: TaskGrant<'delete'>): Promise<void> {
  const timers = await grantTimersOfTask(ctx.db, grant)
  for (const entry of await pauseForDeletion(ctx.db, timers, await databaseNow(ctx.db))) await announceEntry(ctx, grant, entry)
}

/** Before a board is deleted, with which its open pages go. */
export async function pauseTimersOfBoard(db: Db, grant: DeletionGrant): Promise<void> {
  await pauseForDeletion(db, await grantTimersOfBoard(db, grant), await databaseNow(db))
}

/** Before a membership ends. */
export async function completeTimersOfMember(ctx: AnnounceContext, grant: MemberGrant): Promise<void> {
  const timers = await grantTimersOfMember(ctx.db, grant)
  for (const entry of await endTimers(ctx.db, timers, await databaseNow(ctx.db))) await announceEntry(ctx, grant, entry)
}
