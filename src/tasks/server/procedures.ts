import { z } from 'zod'
import { granted } from '../../boards/server/procedures'
import { id } from '../../schema'
import { mutation, protectedProcedure } from '../../server/trpc'
import { grantRestoring, grantTask, grantTaskReading, type TaskRight } from './grants'

const ofTask = z.object({ taskId: id })

/** A member who reads a task. */
export const readsTask = protectedProcedure.input(ofTask).use(async ({ ctx, input, next }) => {
  return next({ ctx: { grant: await grantTaskReading(ctx.db, ctx.viewer, input.taskId) } })
})

/** A member who changes a task, with the right named. */
export const onTask = <R extends Exclude<TaskRight, 'read'>>(right: R) =>
  mutation.input(ofTask).use(async ({ ctx, input, next }) => {
    return next({ ctx: granted(ctx, await grantTask(ctx.db, ctx.viewer, input.taskId, right)) })
  })

/** Whoever deleted a task just now, and brings it back. */
export const onDeletedTask = mutation.input(ofTask).use(async ({ ctx, input, next }) => {
  return next({ ctx: granted(ctx, await grantRestoring(ctx.db, ctx.viewer, input.taskId)) })
})
