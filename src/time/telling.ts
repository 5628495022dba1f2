import { type Acting, announcing } from '../server/trpc'
import type { TimeEntry } from './inputs'
import { minutesOf } from './store'

/** Tells of an entry as it is now: its board, and its owner wherever they are, whose timer it may be. */
export async function tellEntry(
  acting: Acting,
  entry: TimeEntry,
  type: 'time_entry_added' | 'time_entry_updated' = 'time_entry_updated',
): Promise<void> {
  const { taskId, boardId, userId } = entry
  const minutes = await minutesOf(acting.db, taskId)
  await announcing(acting, boardId)({ type, payload: { taskId, entry, minutes } }, [userId])
}
