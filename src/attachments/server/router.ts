import { z } from 'zod'
import { taskEvents } from '../../boards/activity'
import { changeContext } from '../../boards/server/procedures'
import { done } from '../../protocol'
import { id, success } from '../../schema'
import { restCalls } from '../../server/rest'
import { mutation, router } from '../../server/trpc'
import { grantRow } from '../../tasks/server/grants'
import { readsTask } from '../../tasks/server/procedures'
import { touchTask } from '../../tasks/server/store'
import { attachment } from '../schema'
import { grantDeletingAttachment } from './grants'
import { attachmentsRoutes } from './routes'
import { deleteAttachment, listAttachments, restoreAttachment } from './store'

const attachmentInput = z.object({ attachmentId: id })

const onAttachment = mutation.input(attachmentInput).use(async ({ ctx, input, next }) => {
  return next({ ctx: changeContext(ctx, await grantDeletingAttachment(ctx.db, ctx.viewer, input.attachmentId)) })
})

const onDeletedAttachment = mutation.input(attachmentInput).use(async ({ ctx, input, next }) => {
  return next({ ctx: changeContext(ctx, await grantRow(ctx.db, ctx.viewer, 'attachment', input.attachmentId)) })
})

const attachmentsRouter = router({
  list: readsTask.query(({ ctx }) => listAttachments(ctx.db, ctx.grant)),

  delete: onAttachment.meta({ kind: 'deletes' }).mutation(async ({ ctx }) => {
    const { task, attachment } = ctx.grant
    await deleteAttachment(ctx.db, ctx.grant)
    const updatedAt = await touchTask(ctx.db, ctx.grant)
    await ctx.announce(
      {
        type: 'attachment_deleted',
        to: 'openBoard',
        payload: { taskId: task.id, attachmentId: attachment.id, fileCount: task.fileCount - 1, updatedAt },
      },
      taskEvents(task, { kind: 'file', detail: { did: 'removed', name: attachment.originalFilename } }),
    )
    return done
  }),

  restore: onDeletedAttachment.meta({ kind: 'restores' }).mutation(async ({ ctx }) => {
    const { task } = ctx.grant
    const attachment = await restoreAttachment(ctx.db, ctx.grant)
    const counted = { fileCount: task.fileCount + 1, updatedAt: await touchTask(ctx.db, ctx.grant) }
    await ctx.announce(
      { type: 'attachment_added', to: 'openBoard', payload: { taskId: task.id, attachment, ...counted } },
      taskEvents(task, { kind: 'file', detail: { did: 'added', name: attachment.originalFilename } }),
    )
    return attachment
  }),
})

const { get, post, remove } = restCalls('attachments', attachmentsRouter)

const attachmentsRest = [
  get('/api/attachments/:taskId', 'list', "A task's files, oldest first", z.array(attachment)),
  remove('/api/attachments/:attachmentId', 'delete', 'Delete a file you uploaded', success),
  post('/api/attachments/restore/:attachmentId', 'restore', 'Restore a file you deleted in the last 10 seconds', attachment),
]

export const attachmentsDomain = {
  router: attachmentsRouter,
  rest: attachmentsRest,
  routes: attachmentsRoutes,
  shapes: { Attachment: attachment },
}
