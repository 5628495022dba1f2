import { changeContext } from '../../boards/server/procedures'
import { assertMatch } from '../../server/etag'
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
