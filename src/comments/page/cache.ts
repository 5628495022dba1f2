import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Received } from '../../protocol'
import { isAboutTask } from '../../tasks/page/isAboutTask'
import type { Snapshot } from '../../tasks/schema'
import { updateAuthor } from '../../users/page/updateUser'
import type { UserMessage } from '../../users/schema'
import { liveListQuery } from '../../web/live/liveLists'
import { useBoardMutation, usePredicted } from '../../web/live/optimisticMutation'
import { applyChange, type Change, type Reducers } from '../../web/live/reducers'
import { refusalOf } from '../../web/refusal'
import { type Comment, type CommentMessage, commentsCursor, DUPLICATE_COMMENT, mayHaveMore } from '../schema'
import { commentsApi } from './api'

/** In milliseconds. */
const MIN_READ_INTERVAL = 500
const lastReads = new Map<number, number>()

async function readComments(taskId: number, signal: AbortSignal): Promise<Comment[]> {
  const early = (lastReads.get(taskId) ?? -MIN_READ_INTERVAL) + MIN_READ_INTERVAL - performance.now()
  if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
  signal.throwIfAborted()
  lastReads.set(taskId, performance.now())
  const comments: Comment[] = []
  for (;;) {
    const last = comments.at(-1)
    const next = await commentsApi.list.query({ taskId, cursor: last && commentsCursor(last) }, { signal })
    comments.push(...next)
    if (!mayHaveMore(next)) return comments
  }
}

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

export function useComments(boardId: number, taskId: number) {
  const apply = useCallback((comments: Comment[], change: Change) => applyToComments(taskId, comments, change), [taskId])
  const read = (signal: AbortSignal) => readComments(taskId, signal)
  const { data, isError, isFetching, refetch } = useQuery(liveListQuery(boardId, ['comments', taskId], read, apply))
  const comments = usePredicted(boardId, data, apply)
  return { comments, isError, isFetching, retry: () => void refetch() }
}

type CommentChange = Received<CommentMessage>

const countOf = (board: Snapshot | undefined, taskId: number) => board?.tasks.find(({ id }) => id === taskId)?.commentCount ?? 0

const added = (comment: Comment, board: Snapshot | undefined): CommentChange => {
  const { taskId } = comment
  return { type: 'new_comment', payload: { taskId, comment, commentCount: countOf(board, taskId) + 1 } }
}

const updated = (comment: Comment): CommentChange => ({ type: 'comment_updated', payload: { taskId: comment.taskId, comment } })

const deleted = ({ id: commentId, taskId }: Comment, board: Snapshot | undefined): CommentChange => ({
  type: 'comment_deleted',
  payload: { taskId, commentId, commentCount: countOf(board, taskId) - 1 },
})

export const newCommentDraft = (taskId: number) => `comment-${taskId}`

export const ALREADY_SENT = { title: 'Comment Already Sent', description: DUPLICATE_COMMENT }

export const useAddComment = (boardId: number) =>
  useBoardMutation(boardId, {
    send: (input: { taskId: number; content: string }, stamp) => commentsApi.create.mutate(input, stamp),
    fromAnswer: (comment, _input, board: Snapshot | undefined) => [added(comment, board)],
    meta: {
      failure: (error) =>
        refusalOf(error)?.code === 'CONFLICT'
          ? ALREADY_SENT
          : { title: 'Comment Failed', description: 'Could not add your comment. Please try again.' },
    },
  })

export const useEditComment = (boardId: number) =>
  useBoardMutation(boardId, {
    send: ({ comment, content }: { comment: Comment; content: string }, stamp) =>
      commentsApi.update.mutate({ commentId: comment.id, content }, stamp),
    predict: ({ comment, content }) => [updated({ ...comment, content })],
    fromAnswer: (comment) => [updated(comment)],
    meta: {
      success: { title: 'Comment Updated' },
      failure: { title: 'Update Failed', description: 'Could not update your comment. Please try again.' },
    },
  })

export const useDeleteComment = (boardId: number) =>
  useBoardMutation(boardId, {
    send: (comment: Comment, stamp) => commentsApi.delete.mutate({ commentId: comment.id }, stamp),
    predict: (comment, board: Snapshot | undefined) => [deleted(comment, board)],
    fromAnswer: (_answer, comment, board) => [deleted(comment, board)],
    meta: {
      success: { title: 'Comment Deleted', duration: 2_000 },
      failure: { title: 'Deletion Failed', description: 'Could not delete your comment. Please try again.' },
    },
  })
