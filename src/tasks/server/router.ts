import { z } from 'zod'
import { changesOf, did } from '../../activity/server/store'
import { notify } from '../../notifications/server/notify'
import { done, id } from '../../schema'
import { badRequest, notFound } from '../../server/errors'
import { onBoard, onDeletedTask, onTask, readsTask, router } from '../../server/trpc'
import { tellEntry } from '../../time/entries/server/announceEntry'
import { clock } from '../../time/entries/server/store'
import { restOfTask, timekeepers } from '../../time/timers/server/store'
import { newTask, taskChanges } from '../schema'
import { addAssignee, removeAssignee } from './assignees/store'
import { createTask, deleteTask, restoreTask, updateTask } from './store'

export const tasksRouter = router({
  get: readsTask.query(({ ctx }) => ctx.grant.task),

  create: onBoard('change')
    .input(newTask)
    .mutation(async ({ ctx, input }) => {
      const task = await createTask(ctx.db, ctx.grant, input)
      await ctx.announce({ type: 'new_task', payload: { task } }, did(task, { kind: 'created', detail: {} }))
      return task
    }),

  update: onTask('change')
    .input(taskChanges)
    .mutation(async ({ ctx, input }) => {
      const task = await updateTask(ctx.db, ctx.grant, input)
      if (!task) return ctx.grant.task
      await ctx.announce({ type: 'task_updated', payload: { task } }, did(task, ...changesOf(ctx.grant.task, task)))
      return task
    }),

  delete: onTask('delete').mutation(async ({ ctx }) => {
    const { task } = ctx.grant
    for (const entry of await restOfTask(ctx.db, ctx.grant, await clock(ctx.db))) await tellEntry(ctx, entry)
    await deleteTask(ctx.db, ctx.grant)
    ctx.sweep()
    const change = { type: 'task_deleted', payload: { taskId: task.id } } as const
    await ctx.announce(change, did(task, { kind: 'deleted', detail: {} }), await timekeepers(ctx.db, task.id))
    return done
  }),

  /** Brings back what one deleted just now; for everyone else it is new. */
  restore: onDeletedTask.mutation(async ({ ctx }) => {
    const task = await restoreTask(ctx.db, ctx.grant)
    const change = { type: 'new_task', payload: { task } } as const
    await ctx.announce(change, did(task, { kind: 'restored', detail: {} }), await timekeepers(ctx.db, task.id))
    return task
  }),

  assign: onTask('change')
    .input(z.object({ userId: id }))
    .mutation(async ({ ctx, input }) => {
      const assigned = await addAssignee(ctx.db, ctx.grant, input.userId)
      if (!assigned) throw badRequest('Only members of the board can be assigned.')
      const { task, added } = assigned
      if (!added) return task
      await ctx.announce(
        { type: 'task_assignee_added', payload: { taskId: task.id, user: added } },
        did(task, { kind: 'assigned', detail: { userId: added.id } }),
      )
      await notify(ctx, 'assigned', [added.id])
      return task
    }),

  unassign: onTask('change')
    .input(z.object({ userId: id }))
    .mutation(async ({ ctx, input: { userId } }) => {
      if (!(await removeAssignee(ctx.db, ctx.grant, userId))) throw notFound('This person is not assigned to the task.')
      await ctx.announce(
        { type: 'task_assignee_removed', payload: { taskId: ctx.grant.task.id, userId } },
        did(ctx.grant.task, { kind: 'unassigned', detail: { userId } }),
      )
      return done
    }),
})
