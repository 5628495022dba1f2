import { z } from 'zod'
import { changeContext } from '../../boards/server/procedures'
import { id } from '../../schema'
import { assertMatch } from '../../server/etag'
import { clientMessage } from '../../server/live/clientMessages'
import { mutation, reading } from '../../server/trpc'
import { taskInput } from '../schema'
import { grantRestoring, grantTask, grantTaskReading, type TaskRight } from './grants'

export const readsTask = reading.input(taskInput).use(async ({ ctx, input, next }) => {
  return next({ ctx: { grant: await grantTaskReading(ctx.db, ctx.viewer, input.taskId) } })
})

export const onTask = <R extends Exclude<TaskRight, 'read'>>(right: R) =>
  mutation.input(taskInput).use(async ({ ctx, input, next }) => {
    const grant = await grantTask(ctx.db, ctx.viewer, input.taskId, right)
    assertMatch(ctx, grant.task)
    return next({ ctx: changeContext(ctx, grant) })
  })

export const onDeletedTask = mutation.input(taskInput).use(async ({ ctx, input, next }) => {
  return next({ ctx: changeContext(ctx, await grantRestoring(ctx.db, ctx.viewer, input.taskId)) })
})

const aboutTask = taskInput.extend({ boardId: id.optional() })

/** Checked and dropped: the server announces changes once they are stored. */
export const taskClientMessages = {
  task_update: clientMessage(aboutTask),
  task_updated: clientMessage(z.object({ task: z.object({ id }), boardId: id.optional() })),
  task_deleted: clientMessage(aboutTask),
  task_assignee_added: clientMessage(aboutTask),
  task_assignee_removed: clientMessage(aboutTask),
}
