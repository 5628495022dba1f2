import { taskEvents } from '../../../activity/server/events'
import { announce } from '../../../boards/server/announce'
import type { AnnounceGrant } from '../../../server/granted'
import type { TransactionContext } from '../../../server/transaction'
import type { TimeEntry } from '../schema'
import { loggedMinutes } from './lookup'

/** What its owner did with an entry, for the activity of its task; timers that run or rest are not logged. */
type Did = 'logged' | 'changed' | 'removed'
type Announcing = Pick<TransactionContext, 'db' | 'outbox'> & { headers: Headers }

const entryEvents = ({ taskId: id, task: title, duration: minutes }: TimeEntry, did: Did | null) =>
  taskEvents({ id, title }, ...(did ? [{ kind: 'time' as const, detail: { did, minutes } }] : []))

/** Announces an entry as it is now, to its owner wherever they are, whose timer it may be. */
export async function announceEntry(
  ctx: Announcing,
  grant: AnnounceGrant,
  entry: TimeEntry,
  type: 'time_entry_added' | 'time_entry_updated' = 'time_entry_updated',
  did: Did | null = null,
): Promise<void> {
  const { taskId, userId } = entry
  const payload = { taskId, entry, minutes: await loggedMinutes(ctx.db, taskId) }
  await announce(ctx, grant, { type, to: 'openBoard', payload }, entryEvents(entry, did), [userId])
}

/** Announces that an entry was deleted. */
export async function announceDeletedEntry(ctx: Announcing, grant: AnnounceGrant, entry: TimeEntry): Promise<void> {
  const { id: entryId, taskId, userId, status } = entry
  const payload = { taskId, entryId, minutes: await loggedMinutes(ctx.db, taskId) }
  const events = entryEvents(entry, status === 'completed' ? 'removed' : null)
  await announce(ctx, grant, { type: 'time_entry_deleted', to: 'openBoard', payload }, events, [userId])
}
