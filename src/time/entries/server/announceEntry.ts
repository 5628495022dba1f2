import { did } from '../../../activity/server/store'
import { type Acting, announcing } from '../../../server/trpc'
import type { TimeEntry } from '../schema'
import { minutesOf } from './store'

/** What its owner did with an entry, for the activity of its task; of a timer that runs or rests there is nothing to tell. */
export type Deed = 'logged' | 'changed' | 'removed'

export const deed = ({ taskId: id, task: title, duration: minutes }: TimeEntry, done: Deed | null) =>
  did({ id, title }, ...(done ? [{ kind: 'time' as const, detail: { did: done, minutes } }] : []))

/** Tells of an entry as it is now: its board, and its owner wherever they are, whose timer it may be. */
export async function tellEntry(
  acting: Acting,
  entry: TimeEntry,
  type: 'time_entry_added' | 'time_entry_updated' = 'time_entry_updated',
  done: Deed | null = null,
): Promise<void> {
  const { taskId, boardId, userId } = entry
  const minutes = await minutesOf(acting.db, taskId)
  await announcing(acting, boardId)({ type, payload: { taskId, entry, minutes } }, deed(entry, done), [userId])
}
