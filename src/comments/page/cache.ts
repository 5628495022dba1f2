import { useQuery } from '@tanstack/react-query'
import { useBoardMutation, useWithForeseen } from '../../boards/page/boardMutation'
import type { BoardChange } from '../../protocol'
import type { Snapshot } from '../../tasks/schema'
import { withPerson } from '../../users/schema'
import { listQuery } from '../../web/liveLists'
import { client, refusalOf } from '../../web/trpc'
import { type Comment, cursorAfter, isFull, REPEATED } from '../schema'

/** A task's comments are read once in so many milliseconds (board-page.md, section 4). */
const READ_EVERY = 500
const lastReads = new Map<number, number>()

async function readComments(taskId: number, signal: AbortSignal): Promise<Comment[]> {
  const early = (lastReads.get(taskId) ?? -READ_EVERY) + READ_EVERY - performance.now()
  if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
  signal.throwIfAborted()
  lastReads.set(taskId, performance.now())
  const comments: Comment[] = []
  for (;;) {
    const last = comments.at(-1)
    const next = await client.comments.list.query({ taskId, cursor: last && cursorAfter(last) }, { signal })
    comments.push(...next)
    if (!isFull(next)) return comments
  }
}

export const isLater = (a: Comment, b: Comment) => (a.createdAt === b.createdAt ? a.id > b.id : a.createdAt > b.createdAt)

/** A task's comments, oldest first, after one change of its board. Pure and idempotent. */
export function applyCommentChange(taskId: number, comments: Comment[], change: BoardChange): Comment[] {
  if (change.type === 'user_profile_updated') return withPerson(comments, change.payload.user)
  if (!('taskId' in change.payload) || change.payload.taskId !== taskId) return comments
  switch (change.type) {
    case 'new_comment': {
      const { comment } = change.payload
      const others = comments.filter(({ id }) => id !== comment.id)
      const next = others.findIndex((other) => isLater(other, comment))
      return others.toSpliced(next < 0 ? others.length : next, 0, comment)
    }
    case 'comment_updated': {
      const { comment } = change.payload
      return comments.map((other) => (other.id === comment.id ? comment : other))
    }
    case 'comment_deleted': {
      const { commentId } = change.payload
      return comments.filter(({ id }) => id !== commentId)
    }
    default:
      return comments
  }
}

/** For each task the same function, so that React sees nothing new in it. */
const reducers = new Map<number, (comments: Comment[], change: BoardChange) => Comment[]>()
function reducerOf(taskId: number) {
  const reducer = reducers.get(taskId) ?? ((comments, change) => applyCommentChange(taskId, comments, change))
  reducers.set(taskId, reducer)
  return reducer
}

const commentsQuery = (boardId: number, taskId: number) =>
  listQuery(boardId, ['comments', taskId], (signal) => readComments(taskId, signal), reducerOf(taskId))

/** The comments of a task, oldest first, as they will be when all that is in flight has arrived. */
export function useComments(boardId: number, taskId: number) {
  const { data, isError, isFetching, refetch } = useQuery(commentsQuery(boardId, taskId))
  const comments = useWithForeseen(boardId, data, reducerOf(taskId))
  return { comments, isError, isFetching, retry: () => void refetch() }
}

const countOf = ({ tasks }: Snapshot, taskId: number) => tasks.find(({ id }) => id === taskId)?.commentCount ?? 0

const added = (comment: Comment, board: Snapshot): BoardChange => {
  const { taskId } = comment
  return { type: 'new_comment', payload: { taskId, comment, commentCount: countOf(board, taskId) + 1 } }
}

const updated = (comment: Comment): BoardChange => ({ type: 'comment_updated', payload: { taskId: comment.taskId, comment } })

const deleted = ({ id: commentId, taskId }: Comment, board: Snapshot): BoardChange => ({
  type: 'comment_deleted',
  payload: { taskId, commentId, commentCount: countOf(board, taskId) - 1 },
})

/** Under this name what is written for a new comment is kept. */
export const newCommentDraft = (taskId: number) => `comment-${taskId}`

export const ALREADY_SENT = { title: 'Comment Already Sent', description: REPEATED }

export const useAddComment = (boardId: number) =>
  useBoardMutation(boardId, {
    send: (input: { taskId: number; content: string }, stamp) => client.comments.create.mutate(input, stamp),
    learned: (comment, _input, board) => [added(comment, board)],
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
      client.comments.update.mutate({ commentId: comment.id, content }, stamp),
    foresee: ({ comment, content }) => [updated({ ...comment, content })],
    learned: (comment) => [updated(comment)],
    meta: {
      success: { title: 'Comment Updated' },
      failure: { title: 'Update Failed', description: 'Could not update your comment. Please try again.' },
    },
  })

export const useDeleteComment = (boardId: number) =>
  useBoardMutation(boardId, {
    send: (comment: Comment, stamp) => client.comments.delete.mutate({ commentId: comment.id }, stamp),
    foresee: (comment, board) => [deleted(comment, board)],
    learned: (_answer, comment, board) => [deleted(comment, board)],
    meta: {
      success: { title: 'Comment Deleted', duration: 2_000 },
      failure: { title: 'Deletion Failed', description: 'Could not delete your comment. Please try again.' },
    },
  })
