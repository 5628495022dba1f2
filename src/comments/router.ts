import { done, part } from '../inputs'
import { conflict } from '../server/errors'
import type { CommentGrant, TaskGrant } from '../server/grants'
import { onComment, onTask, type Parts, readsTask, router, type Within } from '../server/trpc'
import { type Comment, cursorAfter, newComment, REPEATED } from './inputs'
import { mentionMail } from './letters'
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
      await ctx.announce({ type: 'new_comment', payload: { taskId: task.id, comment, commentCount } })
      await tellMentioned(ctx, comment)
      return comment
    }),

  update: onComment.input(newComment).mutation(async ({ ctx, input }) => {
    const comment = await editComment(ctx.db, ctx.grant, input.content)
    if (!comment) return ctx.grant.comment
    await ctx.announce({ type: 'comment_updated', payload: { taskId: comment.taskId, comment } })
    await tellMentioned(ctx, comment)
    return comment
  }),

  delete: onComment.mutation(async ({ ctx }) => {
    const { comment, task } = ctx.grant
    await deleteComment(ctx.db, ctx.grant)
    const commentCount = task.commentCount - 1
    await ctx.announce({ type: 'comment_deleted', payload: { taskId: task.id, commentId: comment.id, commentCount } })
    return done
  }),
})

type Telling = Within & { parts: Parts; grant: TaskGrant<'change'> | CommentGrant }

async function tellMentioned({ db, mail, parts, grant }: Telling, comment: Comment) {
  for (const { email } of await noteMentions(db, grant, comment)) await mail(mentionMail(email, parts.origin(), grant, comment))
}
