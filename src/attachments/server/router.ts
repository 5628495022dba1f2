import { did } from '../../activity/server/store'
import { done } from '../../schema'
import { onAttachment, readsTask, router } from '../../server/trpc'
import { deleteAttachment, listAttachments } from './store'

/** Files come in by upload.ts and go out by serving.ts: what is here is about their rows. */
export const attachmentsRouter = router({
  list: readsTask.query(({ ctx }) => listAttachments(ctx.db, ctx.grant)),

  delete: onAttachment('delete').mutation(async ({ ctx }) => {
    const { task, attachment } = ctx.grant
    await deleteAttachment(ctx.db, ctx.grant)
    ctx.sweep()
    await ctx.announce(
      { type: 'attachment_deleted', payload: { taskId: task.id, attachmentId: attachment.id } },
      did(task, { kind: 'file', detail: { did: 'removed', name: attachment.originalFilename } }),
    )
    return done
  }),
})
