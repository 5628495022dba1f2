import { did } from '../../activity/server/store'
import { notify, notifyEdited } from '../../notifications/server/notify'
import { done, part } from '../../schema'
import { conflict } from '../../server/errors'
import type { CommentGrant, TaskGrant } from '../../server/grants'
import { onComment, onTask, type Parts, readsTask, router, type Within } from '../../server/trpc'
import { type Comment, cursorAfter, newComment, REPEATED } from '../schema'
import { addComment, deleteComment, editComment, listComments, noteMentions } from './store'

export const commentsRouter = router({
  list: readsTask.input(part).query(async ({ ctx, input }) => {
    const { comments, more } = await listComments(ctx.db, ctx.grant, input)
    const last = comments.at(-1)
    if (more && last) ctx.headers.set('X-Next-Cursor', cursorAfter(last))
    return comments
  }),

  create: onTask('change')
    .input(newComment)
    .mutation(async ({ ctx, input }) => {
      const { task } = ctx.grant
      const comment = await addComment(ctx.db, ctx.grant, input.content)
      if (!comment) throw conflict(REPEATED)
      const commentCount = task.commentCount + 1
      await ctx.announce(
        { type: 'new_comment', payload: { taskId: task.id, comment, commentCount } },
        did(task, { kind: 'commented', detail: {} }),
      )
      const { createdBy, assignees } = task
      await tell(ctx, comment, [...(createdBy === null ? [] : [createdBy]), ...assignees.map(({ id }) => id)])
      return comment
    }),

  update: onComment.input(newComment).mutation(async ({ ctx, input }) => {
    const comment = await editComment(ctx.db, ctx.grant, input.content)
    if (!comment) return ctx.grant.comment
    await ctx.announce({ type: 'comment_updated', payload: { taskId: comment.taskId, comment } }, [])
    await notifyEdited(ctx, comment)
    await tell(ctx, comment)
    return comment
  }),

  delete: onComment.mutation(async ({ ctx }) => {
    const { comment, task } = ctx.grant
    await deleteComment(ctx.db, ctx.grant)
    const commentCount = task.commentCount - 1
    await ctx.announce({ type: 'comment_deleted', payload: { taskId: task.id, commentId: comment.id, commentCount } }, [])
    return done
  }),
})

type Telling = Within & { parts: Parts; grant: TaskGrant<'change'> | CommentGrant }

/** Of a comment, those whom it mentions hear as such; of a new one, also whoever made the task or is assigned to it. */
async function tell(telling: Telling, comment: Comment, others: number[] = []) {
  const mentioned = await noteMentions(telling.db, telling.grant, comment)
  const said = { detail: comment.content, commentId: comment.id }
  await notify(telling, 'mentioned', mentioned, said)
  await notify(
    telling,
    'commented',
    others.filter((id) => !mentioned.includes(id)),
    said,
  )
}
