import { changeTask } from '../../tasks/page/reducers'
import type { Snapshot } from '../../tasks/schema'
import type { Reducers } from '../../web/live/reducers'
import type { CommentMessage } from '../schema'

export const commentCount: Reducers<Snapshot, CommentMessage> = {
  new_comment: (snapshot, { taskId, commentCount, updatedAt }) =>
    changeTask(snapshot, taskId, () => ({ commentCount, updatedAt })),
  comment_updated: (snapshot, { taskId, updatedAt }) => changeTask(snapshot, taskId, () => ({ updatedAt })),
  comment_deleted: (snapshot, { taskId, commentCount, updatedAt }) =>
    changeTask(snapshot, taskId, () => ({ commentCount, updatedAt })),
}
