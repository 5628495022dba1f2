import { changeTask } from '../../tasks/page/reducers'
import type { Snapshot } from '../../tasks/schema'
import type { Reducers } from '../../web/live/reducers'
import type { AttachmentMessage } from '../schema'

export const fileCount: Reducers<Snapshot, AttachmentMessage> = {
  attachment_added: (snapshot, { taskId, fileCount, updatedAt }) =>
    changeTask(snapshot, taskId, () => ({ fileCount, updatedAt })),
  attachment_deleted: (snapshot, { taskId, fileCount, updatedAt }) =>
    changeTask(snapshot, taskId, () => ({ fileCount, updatedAt })),
}
