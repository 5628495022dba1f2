import { z } from 'zod'
import { taskEvents } from '../../activity/server/activityEvents'
import { changeContext } from '../../boards/server/procedures'
import { done, id } from '../../schema'
import { mutation, router } from '../../server/trpc'
import { readsTask } from '../../tasks/server/procedures'
import { grantDeletingAttachment } from './grants'
import { deleteAttachment, listAttachments } from './store'

export const attachmentsRouter = router({
  list: readsTask.query(({ ctx }) => listAttachments(ctx.db, ctx.grant)),

  delete: mutation
    .meta({ deletes: true })
    .input(z.object({ attachmentId: id }))
    .use(async ({ ctx, input, next }) => {
      return next({ ctx: changeContext(ctx, await grantDeletingAttachment(ctx.db, ctx.viewer, input.attachmentId)) })
    })
    .mutation(async ({ ctx }) => {
      const { task, attachment } = ctx.grant
      await deleteAttachment(ctx.db, ctx.grant)
      ctx.sweep()
      await ctx.announce(
        {
          type: 'attachment_deleted',
          to: 'openBoard',
          payload: { taskId: task.id, attachmentId: attachment.id },
        },
        taskEvents(task, { kind: 'file', detail: { did: 'removed', name: attachment.originalFilename } }),
      )
      return done
    }),
})
