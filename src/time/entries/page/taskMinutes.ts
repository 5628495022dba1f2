import { changeTask } from '../../../tasks/page/reducers'
import type { Snapshot } from '../../../tasks/schema'
import type { Reducers } from '../../../web/live/reducers'
import type { TimeEntryMessage } from '../schema'

const setMinutes = (snapshot: Snapshot, { taskId, minutes }: { taskId: number; minutes: number }) =>
  changeTask(snapshot, taskId, () => ({ minutes }))

export const taskMinutes: Reducers<Snapshot, TimeEntryMessage> = {
  time_entry_added: setMinutes,
  time_entry_updated: setMinutes,
  time_entry_deleted: setMinutes,
}
