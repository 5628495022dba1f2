import { z } from 'zod'
import { attachment } from '../../attachments/schema'
import { listAttachments } from '../../attachments/server/store'
import { type ActivityEvent, taskEvents } from '../../boards/activity'
import { onBoard, readsBoard } from '../../boards/server/procedures'
import { atOnce } from '../../db/statements'
import { notify } from '../../notifications/server/notify'
import { withdrawMail } from '../../notifications/server/store'
import { cursorAt, done } from '../../protocol'
import { id, listPage, success } from '../../schema'
import { notFound } from '../../server/errors'
import { clientMessage } from '../../server/live/clientMessages'
import { restCalls } from '../../server/rest'
import { router } from '../../server/trpc'
import { workersOn } from '../../time/server/lookup'
import { pauseTimersOfTask } from '../../time/server/timers'
import { deletedTask, newTask, snapshot, type Task, type TaskField, task, taskChanges, taskFields, taskInput } from '../schema'
import { listDeletedTasks } from './boardTasks.store'
import { onDeletedTask, onTask, readsTask } from './procedures'
import { tasksRoutes } from './routes'
import { addAssignee, createTask, deleteTask, removeAssignee, restoreTask, updateTask } from './store'

/** They hear of their tasks without the board open. */
const assigneesOf = ({ assignees }: Pick<Task, 'assignees'>) => assignees.map(({ id }) => id)

const tasksRouter = router({
  get: readsTask.query(async ({ ctx }) => ({
    ...ctx.grant.task,
    attachments: await listAttachments(ctx.db, ctx.grant),
  })),

  create: onBoard('change')
    .input(newTask)
    .mutation(async ({ ctx, input }) => {
      const task = await createTask(ctx.db, ctx.grant, input)
      await ctx.announce(
        { type: 'new_task', to: 'openBoard', payload: { task } },
        taskEvents(
          task,
          { kind: 'created', detail: {} },
          ...input.assigneeIds.map((userId) => ({ kind: 'assigned' as const, detail: { userId } })),
        ),
        input.assigneeIds,
      )
      await notify({ ...ctx, grant: { ...ctx.grant, task } }, 'assigned', input.assigneeIds)
      return task
    }),

  update: onTask('change')
    .meta({ matches: true })
    .input(taskChanges)
    .mutation(async ({ ctx, input }) => {
      const updated = await updateTask(ctx.db, ctx.grant, input)
      if (!updated) return ctx.grant.task
      const { task, written } = updated
      const events = taskEvents(task, ...taskChangeEvents(ctx.grant.task, task))
      const announced = ctx.announce({ type: 'task_updated', to: 'openBoard', payload: { task } }, events, assigneesOf(task))
      await atOnce([written, announced])
      return task
    }),

  delete: onTask('delete')
    .meta({ kind: 'deletes', matches: true })
    .mutation(async ({ ctx }) => {
      const { task } = ctx.grant
      await pauseTimersOfTask(ctx, ctx.grant)
      await deleteTask(ctx.db, ctx.grant)
      ctx.sweep()
      await ctx.announce(
        { type: 'task_deleted', to: 'openBoard', payload: { taskId: task.id } },
        taskEvents(task, { kind: 'deleted', detail: {} }),
        [...(await workersOn(ctx.db, task.id)), ...assigneesOf(task)],
      )
      return done
    }),

  deleted: readsBoard.input(listPage).query(async ({ ctx, input }) => {
    const { tasks, more } = await listDeletedTasks(ctx.db, ctx.grant, input)
    const last = tasks.at(-1)
    if (more && last) ctx.headers.set('X-Next-Cursor', cursorAt(last.deletedAt, last.id))
    return tasks
  }),

  /** Announced as new, because pages have removed it. */
  restore: onDeletedTask.meta({ kind: 'restores' }).mutation(async ({ ctx }) => {
    const task = await restoreTask(ctx.db, ctx.grant)
    await ctx.announce(
      { type: 'new_task', to: 'openBoard', payload: { task } },
      taskEvents(task, { kind: 'restored', detail: {} }),
      [...(await workersOn(ctx.db, task.id)), ...assigneesOf(task)],
    )
    return task
  }),

  assign: onTask('change')
    .input(z.object({ userId: id }))
    .mutation(async ({ ctx, input }) => {
      const { task, added } = await addAssignee(ctx.db, ctx.grant, input.userId)
      if (!added) return task
      await ctx.announce(
        { type: 'task_assignee_added', to: 'openBoard', payload: { taskId: task.id, user: added } },
        taskEvents(task, { kind: 'assigned', detail: { userId: added.id } }),
        assigneesOf(task),
      )
      await notify(ctx, 'assigned', [added.id])
      return task
    }),

  unassign: onTask('change')
    .input(z.object({ userId: id }))
    .mutation(async ({ ctx, input: { userId } }) => {
      if (!(await removeAssignee(ctx.db, ctx.grant, userId))) throw notFound('This person is not assigned to the task.')
      await withdrawMail(ctx.db, ctx.grant, 'assigned', userId)
      await ctx.announce(
        { type: 'task_assignee_removed', to: 'openBoard', payload: { taskId: ctx.grant.task.id, userId } },
        taskEvents(ctx.grant.task, { kind: 'unassigned', detail: { userId } }),
        assigneesOf(ctx.grant.task),
      )
      return done
    }),
})

const { get, post, create, patch, remove } = restCalls('tasks', tasksRouter)

const taskWithAttachments = task.extend({ attachments: z.array(attachment) })

const tasksRest = [
  create('/api/boards/:boardId/tasks', 'create', 'Create a task at the end of its column', task),
  get('/api/tasks/:taskId', 'get', 'A task with its attachments', taskWithAttachments),
  patch('/api/tasks/:taskId', 'update', 'Change the given fields; before or after (a task id) sets its position', task),
  remove('/api/tasks/:taskId', 'delete', 'Delete a task', success),
  get(
    '/api/boards/:boardId/tasks/deleted',
    'deleted',
    'Tasks deleted in the last 30 days that you can restore, last deleted first; if there are more, X-Next-Cursor holds the next cursor',
    z.array(deletedTask),
  ),
  post(
    '/api/tasks/:taskId/restore',
    'restore',
    'Restore a task deleted in the last 30 days: one you deleted, or any on a board you created',
    task,
  ),
  create('/api/tasks/:taskId/assignees', 'assign', 'Assign a member of the board', task),
  remove('/api/tasks/:taskId/assignees/:userId', 'unassign', 'Unassign a member', success),
]

type EventOf = (before: Task, after: Task) => ActivityEvent | null

const eventOf: Record<TaskField, EventOf> = {
  title: (before, after) => ({ kind: 'renamed', detail: { from: before.title, to: after.title } }),
  description: () => ({ kind: 'described', detail: {} }),
  status: (before, after) => ({ kind: 'moved', detail: { from: before.status, to: after.status } }),
  dueDate: (before, after) => ({ kind: 'due', detail: { from: before.dueDate, to: after.dueDate } }),
  tags(before, after) {
    const added = after.tags.filter((tag) => !before.tags.includes(tag))
    const removed = before.tags.filter((tag) => !after.tags.includes(tag))
    return added.length + removed.length > 0 ? { kind: 'tagged', detail: { added, removed } } : null
  },
}

/** Moves within a column are not logged. */
const taskChangeEvents = (before: Task, after: Task): ActivityEvent[] =>
  taskFields.flatMap((field) => (Bun.deepEquals(before[field], after[field]) ? [] : (eventOf[field](before, after) ?? [])))

const aboutTask = taskInput.extend({ boardId: id.optional() })

/** Checked and dropped: the server announces changes once they are stored. */
const taskClientMessages = {
  task_update: clientMessage(aboutTask),
  task_updated: clientMessage(z.object({ task: z.object({ id }), boardId: id.optional() })),
  task_deleted: clientMessage(aboutTask),
  task_assignee_added: clientMessage(aboutTask),
  task_assignee_removed: clientMessage(aboutTask),
}

export const tasksDomain = {
  router: tasksRouter,
  rest: tasksRest,
  routes: tasksRoutes,
  clientMessages: taskClientMessages,
  shapes: { Snapshot: snapshot, Task: task, DeletedTask: deletedTask },
}
