import { useCallback } from 'react'
import { type Checkbox, withCheckbox } from '../../checklist'
import type { Received } from '../../protocol'
import { taskChange, taskTitle } from '../../tasks/page/cache'
import { isAboutTask } from '../../tasks/page/reducers'
import type { Snapshot, Task } from '../../tasks/schema'
import { updateAuthor } from '../../users/page/reducers'
import { useViewer } from '../../users/page/viewer'
import { summaryOf, type UserMessage, type UserSummary } from '../../users/schema'
import { type Call, client } from '../../web/client'
import { changeKind, type Made } from '../../web/live/changeKinds'
import { submit } from '../../web/live/changeQueue'
import { type Live, liveKey, liveQuery } from '../../web/live/liveQuery'
import { ofTask, useLive } from '../../web/live/predictions'
import { applyChange, type Change, type Reducers } from '../../web/live/reducers'
import { boxGone, notUndone, sendOnRevision, settledRevision, tickOnRevision, tickText } from '../../web/live/revisions'
import { submitWithUndo, useChange } from '../../web/live/undoableChanges'
import { queryClient } from '../../web/queryClient'
import { refusalOf } from '../../web/refusal'
import { sleep } from '../../web/scheduling'
import { UPDATE_SHOWN_FOR } from '../../web/toast'
import { typedIn } from '../../web/useDraft'
import { type Comment, type CommentMessage, commentsCursor, DUPLICATE_COMMENT, mayHaveMore } from '../schema'

const MIN_READ_INTERVAL = 500
const lastReads = new Map<number, number>()

async function readComments(taskId: number, signal: AbortSignal): Promise<Comment[]> {
  const early = (lastReads.get(taskId) ?? -MIN_READ_INTERVAL) + MIN_READ_INTERVAL - performance.now()
  if (early > 0) await sleep(early)
  signal.throwIfAborted()
  lastReads.set(taskId, performance.now())
  const comments: Comment[] = []
  for (;;) {
    const last = comments.at(-1)
    const next = await client.comments.list.query({ taskId, cursor: last && commentsCursor(last) }, { signal })
    comments.push(...next)
    if (!mayHaveMore(next)) return comments
  }
}

const NONE: Comment[] = []

/** `comments` includes pending ones, even if nothing has been read yet. */
export function useComments(boardId: number, taskId: number) {
  const apply = useCallback((comments: Comment[], change: Change) => applyToComments(taskId, comments, change), [taskId])
  const read = (signal: AbortSignal) => readComments(taskId, signal)
  const query = liveQuery({ key: [boardId, 'comments', taskId], read, apply })
  const { data: comments, live, error, isError, isFetching, refetch } = useLive(ofTask(taskId, query, NONE), apply, NONE)
  return { comments, read: live?.data, error, isError, isFetching, retry: () => void refetch() }
}

type CommentChange = Received<CommentMessage>

const countOf = (board: Snapshot | undefined, taskId: number) => board?.tasks.find(({ id }) => id === taskId)?.commentCount ?? 0

const commentAdded = (comment: Comment, board: Snapshot | undefined): CommentChange => {
  const { taskId } = comment
  return {
    type: 'new_comment',
    payload: { taskId, comment, commentCount: countOf(board, taskId) + 1, updatedAt: comment.createdAt },
  }
}

const commentUpdated = (comment: Comment, { at }: Made): CommentChange => ({
  type: 'comment_updated',
  payload: { taskId: comment.taskId, comment, updatedAt: new Date(at).toISOString() },
})

const commentDeleted = ({ id: commentId, taskId }: Comment, { at }: Made, board: Snapshot | undefined): CommentChange => ({
  type: 'comment_deleted',
  payload: { taskId, commentId, commentCount: countOf(board, taskId) - 1, updatedAt: new Date(at).toISOString() },
})

export const newCommentDraft = (taskId: number) => `comment-${taskId}`
export const editDraft = (commentId: number) => `comment-edit-${commentId}`

/** What is typed in a task's comments and not sent. */
export function typedComments({ id, boardId }: Task): string[] {
  const { data = [] } = queryClient.getQueryData<Live<Comment[]>>(liveKey(boardId, 'comments', id)) ?? {}
  const names = [newCommentDraft(id), ...data.map((comment) => editDraft(comment.id))]
  return names.flatMap((name) => typedIn(name, 'content') ?? [])
}

export const ALREADY_SENT = { title: 'Comment Already Sent', description: DUPLICATE_COMMENT }

type NewComment = { taskId: number; content: string; user: UserSummary }

const add = taskChange({
  name: 'comments.add',
  waits: true,
  creates: { type: 'new_comment', as: 'comment' },
  send: ({ taskId, content }: NewComment, call) => client.comments.create.mutate({ taskId, content }, call),
  predict: ({ taskId, content, user }, { id, at }, board) => [
    commentAdded({ id, taskId, content, user, userId: user.id, createdAt: new Date(at).toISOString(), revision: 1 }, board),
  ],
  textOf: ({ content }) => content,
  texts: {
    failure: (error) =>
      refusalOf(error)?.code === 'CONFLICT'
        ? ALREADY_SENT
        : { title: 'Comment Failed', description: 'Could not add your comment. Please try again.' },
  },
})

export function useAddComment(boardId: number) {
  const user = summaryOf(useViewer())
  const { run, isPending } = useChange(boardId, add)
  return { run: (given: { taskId: number; content: string }) => run({ ...given, user }), isPending }
}

type Edit = { comment: Comment; content: string }

const editChange = {
  send: ({ comment, content }: Edit, call: Call, made: Made) =>
    sendOnRevision(comment, ['content'], call, made, () =>
      client.comments.update.mutate({ commentId: comment.id, content }, call),
    ),
  predict: ({ comment, content }: Edit, made: Made) => [
    commentUpdated({ ...comment, content, revision: comment.revision + 1 }, made),
  ],
  textOf: ({ content }: Edit) => content,
  about: ({ comment: { taskId } }: Edit, board: Snapshot | undefined) => taskTitle(board, taskId),
}

const editBack = changeKind({ ...editChange, name: 'comments.editBack', texts: { failure: notUndone } })

export const edit = changeKind({
  ...editChange,
  name: 'comments.edit',
  undo:
    ({ comment }, _board, boardId) =>
    (edited) => ({
      title: 'Comment Updated',
      duration: UPDATE_SHOWN_FOR,
      run: () => submit(boardId, editBack, { comment: edited, content: comment.content }),
    }),
  texts: { failure: { title: 'Update Failed', description: 'Could not update your comment. Please try again.' } },
})

const restore = changeKind({
  name: 'comments.restore',
  send: ({ commentId }: { commentId: number }, call) => client.comments.restore.mutate({ commentId }, call),
  texts: { failure: notUndone },
})

export const remove = taskChange({
  name: 'comments.delete',
  send: ({ id: commentId }: Comment, call) => client.comments.delete.mutate({ commentId }, call),
  predict: (comment, made, board) => [commentDeleted(comment, made, board)],
  undo:
    ({ id: commentId }, _board, boardId) =>
    () => ({ title: 'Comment Deleted', run: () => submit(boardId, restore, { commentId }) }),
  texts: { failure: { title: 'Deletion Failed', description: 'Could not delete your comment. Please try again.' } },
})

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

type Ticking = { comment: Comment; box: Checkbox; revision: number }

const tickChange = {
  send: ({ comment: { id: commentId, content: text }, box, revision }: Ticking, call: Call) =>
    tickOnRevision(
      {
        ...{ box, base: { revision, text } },
        textOf: ({ content }: Comment) => content,
        send: (content) => client.comments.update.mutate({ commentId, content }, call),
      },
      call,
    ),
  predict: ({ comment, box }: Ticking, made: Made) => {
    const content = withCheckbox(comment.content, box)
    return content === undefined ? [] : [commentUpdated({ ...comment, content, revision: comment.revision + 1 }, made)]
  },
  textOf: ({ box }: Ticking) => box.words,
  about: ({ comment: { taskId } }: Ticking, board: Snapshot | undefined) => taskTitle(board, taskId),
}

const tickBack = changeKind({ ...tickChange, name: 'comments.tickBack', texts: { failure: notUndone } })

const tick = changeKind({
  ...tickChange,
  name: 'comments.tick',
  undo:
    ({ box }: Ticking, _board, boardId) =>
    (comment: Comment | null) =>
      comment && {
        title: tickText(box),
        description: box.words,
        run: () => submit(boardId, tickBack, { comment, box: { ...box, done: !box.done }, revision: comment.revision }),
      },
  texts: {
    failure: boxGone({ title: 'Update Failed', description: 'Could not update your comment. Please try again.' }),
  },
})

export const tickInComment = (boardId: number, comment: Comment, box: Checkbox): void =>
  void submitWithUndo(boardId, tick, { comment, box, revision: settledRevision(comment) })
