import { isAboutTask } from '../../tasks/page/reducers'
import { updateAuthor } from '../../users/page/reducers'
import type { UserMessage } from '../../users/schema'
import { applyChange, type Change, type Reducers } from '../../web/live/reducers'
import type { Comment, CommentMessage } from '../schema'

export const isLater = (a: Comment, b: Comment) => (a.createdAt === b.createdAt ? a.id > b.id : a.createdAt > b.createdAt)

const commentReducers: Reducers<Comment[], CommentMessage | UserMessage> = {
  user_profile_updated: (comments, { user }) => updateAuthor(comments, user),
  new_comment(comments, { comment }) {
    const others = comments.filter(({ id }) => id !== comment.id)
    const next = others.findIndex((other) => isLater(other, comment))
    return others.toSpliced(next < 0 ? others.length : next, 0, comment)
  },
  comment_updated: (comments, { comment }) => comments.map((other) => (other.id === comment.id ? comment : other)),
  comment_deleted: (comments, { commentId }) => comments.filter(({ id }) => id !== commentId),
}

export const applyToComments = (taskId: number, comments: Comment[], change: Change): Comment[] =>
  isAboutTask(change, taskId) === false ? comments : applyChange(commentReducers, comments, change)
