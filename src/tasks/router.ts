import { z } from 'zod'
import { done, id } from '../inputs'
import { badRequest, notFound } from '../server/errors'
import { onBoard, onDeletedTask, onTask, readsTask, router } from '../server/trpc'
import { addAssignee, removeAssignee } from './assignees/store'
import { newTask, taskChanges } from './inputs'
import { createTask, deleteTask, restoreTask, updateTask } from './store'

export const tasksRouter = router({
  get: readsTask.query(({ ctx }) => ctx.grant.task),

  create: onBoard('change')
    .input(newTask)
    .mutation(async ({ ctx, input }) => {
      const task = await createTask(ctx.db, ctx.grant, input)
      await ctx.announce({ type: 'new_task', payload: { task } })
      return task
    }),

  update: onTask('change')
    .input(taskChanges)
    .mutation(async ({ ctx, input }) => {
      const task = await updateTask(ctx.db, ctx.grant, input)
      if (!task) return ctx.grant.task
      await ctx.announce({ type: 'task_updated', payload: { task } })
      return task
    }),

  delete: onTask('delete').mutation(async ({ ctx }) => {
    await deleteTask(ctx.db, ctx.grant)
    ctx.sweep()
    await ctx.announce({ type: 'task_deleted', payload: { taskId: ctx.grant.task.id } })
    return done
  }),

  /** Brings back what one deleted just now; for everyone else it is new. */
  restore: onDeletedTask.mutation(async ({ ctx }) => {
    const task = await restoreTask(ctx.db, ctx.grant)
    await ctx.announce({ type: 'new_task', payload: { task } })
    return task
  }),

  assign: onTask('change')
    .input(z.object({ userId: id }))
    .mutation(async ({ ctx, input }) => {
      const assigned = await addAssignee(ctx.db, ctx.grant, input.userId)
      if (!assigned) throw badRequest('Only members of the board can be assigned.')
      const { task, added } = assigned
      if (added) await ctx.announce({ type: 'task_assignee_added', payload: { taskId: task.id, user: added } })
      return task
    }),

  unassign: onTask('change')
    .input(z.object({ userId: id }))
    .mutation(async ({ ctx, input: { userId } }) => {
      if (!(await removeAssignee(ctx.db, ctx.grant, userId))) throw notFound('This person is not assigned to the task.')
      await ctx.announce({ type: 'task_assignee_removed', payload: { taskId: ctx.grant.task.id, userId } })
      return done
    }),
})
