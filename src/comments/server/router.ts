import { z } from 'zod'
import { taskEvents } from '../../boards/activity'
import { changeContext } from '../../boards/server/procedures'
import { plainWords } from '../../markdown'
import { type NotifyContext, notify, updateNotifiedComment } from '../../notifications/server/notify'
import { withdrawMentions } from '../../notifications/server/store'
import { done } from '../../protocol'
import { id, listPage, success, text } from '../../schema'
import { conflict } from '../../server/errors'
import { assertMatch } from '../../server/etag'
import { clientMessage, relayToOthers } from '../../server/live/clientMessages'
import { restCalls } from '../../server/rest'
import { mutation, router } from '../../server/trpc'
import { type Task, taskInput } from '../../tasks/schema'
import { grantRow, grantTaskReading } from '../../tasks/server/grants'
import { onTask, readsTask } from '../../tasks/server/procedures'
import { touchTask } from '../../tasks/server/store'
import { summaryOf } from '../../users/schema'
import { type Comment, comment, commentsCursor, DUPLICATE_COMMENT, newComment } from '../schema'
import { grantComment } from './grants'
import { addComment, addMentions, deleteComment, editComment, forgetMentions, listComments, restoreComment } from './store'

const onComment = mutation
  .meta({ matches: true })
  .input(z.object({ commentId: id }))
  .use(async ({ ctx, input, next }) => {
    const grant = await grantComment(ctx.db, ctx.viewer, input.commentId)
    assertMatch(ctx, grant.comment)
    return next({ ctx: changeContext(ctx, grant) })
  })

const onDeletedComment = mutation.input(z.object({ commentId: id })).use(async ({ ctx, input, next }) => {
  return next({ ctx: changeContext(ctx, await grantRow(ctx.db, ctx.viewer, 'comment', input.commentId)) })
})

const commentsRouter = router({
  list: readsTask.input(listPage).query(async ({ ctx, input }) => {
    const { comments, more } = await listComments(ctx.db, ctx.grant, input)
    const last = comments.at(-1)
    if (more && last) ctx.headers.set('X-Next-Cursor', commentsCursor(last))
    return comments
  }),

  create: onTask('change')
    .input(newComment)
    .mutation(async ({ ctx, input }) => {
      const { task } = ctx.grant
      const comment = await addComment(ctx.db, ctx.grant, input.content)
      if (!comment) throw conflict(DUPLICATE_COMMENT)
      const payload = {
        taskId: task.id,
        comment,
        commentCount: task.commentCount + 1,
        updatedAt: await touchTask(ctx.db, ctx.grant),
      }
      await ctx.announce({ type: 'new_comment', to: 'openBoard', payload }, taskEvents(task, { kind: 'commented', detail: {} }))
      const { added } = await addMentions(ctx.db, ctx.grant, comment)
      await notifyOfComment(ctx, comment, added, concernedBy(task))
      return comment
    }),

  update: onComment.input(newComment).mutation(async ({ ctx, input }) => {
    const comment = await editComment(ctx.db, ctx.grant, input.content)
    if (!comment) return ctx.grant.comment
    const payload = { taskId: comment.taskId, comment, updatedAt: await touchTask(ctx.db, ctx.grant) }
    await ctx.announce({ type: 'comment_updated', to: 'openBoard', payload }, [])
    await updateNotifiedComment(ctx.db, ctx.grant, comment.content)
    const { mentioned, added } = await addMentions(ctx.db, ctx.grant, comment)
    const withdrawn = await withdrawMentions(ctx.db, ctx.grant, mentioned)
    if (withdrawn.length > 0) await forgetMentions(ctx.db, ctx.grant, withdrawn)
    const concerned = concernedBy(ctx.grant.task).filter((id) => withdrawn.includes(id))
    await notifyOfComment(ctx, comment, added, concerned)
    return comment
  }),

  delete: onComment.meta({ kind: 'deletes' }).mutation(async ({ ctx }) => {
    const { comment, task } = ctx.grant
    await deleteComment(ctx.db, ctx.grant)
    const counted = { commentCount: task.commentCount - 1, updatedAt: await touchTask(ctx.db, ctx.grant) }
    const payload = { taskId: task.id, commentId: comment.id, ...counted }
    await ctx.announce({ type: 'comment_deleted', to: 'openBoard', payload }, [])
    return done
  }),

  restore: onDeletedComment.meta({ kind: 'restores' }).mutation(async ({ ctx }) => {
    const { task } = ctx.grant
    const comment = await restoreComment(ctx.db, ctx.grant)
    const counted = { commentCount: task.commentCount + 1, updatedAt: await touchTask(ctx.db, ctx.grant) }
    await ctx.announce({ type: 'new_comment', to: 'openBoard', payload: { taskId: task.id, comment, ...counted } }, [])
    return comment
  }),
})

const concernedBy = ({ createdBy, assignees }: Task) => [
  ...(createdBy === null ? [] : [createdBy]),
  ...assignees.map(({ id }) => id),
]

async function notifyOfComment(ctx: NotifyContext, comment: Comment, mentioned: number[], others: number[]) {
  const detail = { detail: plainWords(comment.content), commentId: comment.id }
  await notify(ctx, 'mentioned', mentioned, detail)
  await notify(
    ctx,
    'commented',
    others.filter((id) => !mentioned.includes(id)),
    detail,
  )
}

const { get, post, create, patch, remove } = restCalls('comments', commentsRouter)

const commentsRest = [
  get(
    '/api/tasks/:taskId/comments',
    'list',
    "A task's comments, oldest first; if there are more, X-Next-Cursor holds the next cursor",
    z.array(comment),
  ),
  create('/api/tasks/:taskId/comments', 'create', 'Comment on a task', comment),
  patch('/api/comments/:commentId', 'update', 'Edit your comment', comment),
  remove('/api/comments/:commentId', 'delete', 'Delete your comment', success),
  post('/api/comments/:commentId/restore', 'restore', 'Restore a comment you deleted in the last 10 seconds', comment),
]

const aboutTask = taskInput.extend({ boardId: id.optional() })
const sentComment = aboutTask.extend({ comment: newComment })

const commentClientMessages = {
  typing_started: clientMessage(
    aboutTask.extend({ element: text(40).optional() }),
    async ({ services, socket, viewer, payload: { taskId } }) => {
      const { board } = await grantTaskReading(services.db, viewer, taskId)
      const about = { boardId: board.id, version: board.version, taskId, userId: viewer.id }
      relayToOthers(services, socket, {
        type: 'typing_started',
        payload: { ...about, user: summaryOf(viewer), element: 'comment' },
      })
    },
  ),

  typing_stopped: clientMessage(aboutTask, async ({ services, socket, viewer, payload: { taskId } }) => {
    const { board } = await grantTaskReading(services.db, viewer, taskId)
    const about = { boardId: board.id, version: board.version, taskId, userId: viewer.id }
    relayToOthers(services, socket, { type: 'typing_stopped', payload: about })
  }),

  // Checked and dropped: the server announces changes once they are stored.
  new_comment: clientMessage(sentComment),
  comment_updated: clientMessage(aboutTask),
  comment_deleted: clientMessage(aboutTask),
}

export const commentsDomain = {
  router: commentsRouter,
  rest: commentsRest,
  clientMessages: commentClientMessages,
  shapes: { Comment: comment },
}
