import { generateKeyBetween } from 'fractional-indexing'
import { useBoardMutation } from '../../boards/page/boardMutation'
import type { BoardChange } from '../../protocol'
import type { UserSummary } from '../../users/schema'
import { client, deniedOr, refusalOf } from '../../web/trpc'
import type { Snapshot } from '../schema'
import { type BoardTask, type NewTask, RESTORABLE_SECONDS, STATUSES, type Status, type Task, type TaskChanges } from '../schema'

type OfTask = Extract<BoardChange, { payload: { task: Task } | { taskId: number } }>
type TaskChange = Exclude<OfTask, { type: `attachment_${string}` }>

const rank = (task: Task) => STATUSES.indexOf(task.status)
const comesBefore = (a: Task, b: Task) => (a.status === b.status ? a.position < b.position : rank(a) < rank(b))

/** The tasks of a board, in the columns' order, after one change of one of them. Pure and idempotent. */
export function applyTaskChange(tasks: BoardTask[], change: TaskChange): BoardTask[] {
  switch (change.type) {
    case 'new_task':
    case 'task_updated':
      return placed(tasks, change.payload.task)
    case 'task_deleted':
      return tasks.filter((task) => task.id !== change.payload.taskId)
    case 'task_assignee_added':
      return withAssignees(tasks, change.payload.taskId, (assignees) => [
        ...assignees.filter(({ id }) => id !== change.payload.user.id),
        change.payload.user,
      ])
    case 'task_assignee_removed':
      return withAssignees(tasks, change.payload.taskId, (assignees) =>
        assignees.filter(({ id }) => id !== change.payload.userId),
      )
    case 'new_comment':
    case 'comment_deleted':
      return tasks.map((task) =>
        task.id === change.payload.taskId ? { ...task, commentCount: change.payload.commentCount } : task,
      )
    case 'time_entry_added':
    case 'time_entry_updated':
    case 'time_entry_deleted':
      return tasks.map((task) => (task.id === change.payload.taskId ? { ...task, minutes: change.payload.minutes } : task))
    case 'comment_updated':
      return tasks
  }
}

function placed(tasks: BoardTask[], task: BoardTask): BoardTask[] {
  const others = tasks.filter(({ id }) => id !== task.id)
  // They are in order: of 5,000, thirteen need a look.
  let [from, to] = [0, others.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const other = others[middle]
    if (other && comesBefore(task, other)) to = middle
    else from = middle + 1
  }
  return others.toSpliced(from, 0, task)
}

const withAssignees = (tasks: BoardTask[], taskId: number, change: (assignees: UserSummary[]) => UserSummary[]) =>
  tasks.map((task) => (task.id === taskId ? { ...task, assignees: change(task.assignees) } : task))

/** Where a task is to go: into a column, before or after another task, else to its end. */
export type Place = { status: Status; before?: number; after?: number }

/** The task as it will be at a place, with the position that the server would give it. */
export function movedTo(tasks: Task[], task: BoardTask, { status, before, after }: Place): BoardTask {
  const others = tasks.filter((other) => other.status === status && other.id !== task.id)
  const anchor = others.findIndex(({ id }) => id === (before ?? after))
  const at = anchor < 0 ? others.length : before === undefined ? anchor + 1 : anchor
  const low = others[at - 1]?.position ?? null
  const high = others[at]?.position ?? null
  // What is in flight may have been given the same position as what is stored; the server's answer sets it right.
  const position = generateKeyBetween(low, low !== null && high !== null && low >= high ? null : high)
  return { ...task, status, position }
}

/** The place at an index of a column, in the terms in which a move is sent. */
export function placeAt(tasks: Task[], taskId: number, status: Status, index: number): Place {
  const others = tasks.filter((other) => other.status === status && other.id !== taskId)
  const next = others[index]
  if (next) return { status, before: next.id }
  const last = others.at(-1)
  return last ? { status, after: last.id } : { status }
}

const foreseeUpdate = ({ taskId, ...changes }: { taskId: number } & TaskChanges, { tasks }: Snapshot): BoardChange[] => {
  const task = tasks.find(({ id }) => id === taskId)
  if (!task) return []
  const { status = task.status, before, after, ...fields } = changes
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const moves = status !== task.status || before !== undefined || after !== undefined
  const { cut, ...changed } = { ...(moves ? movedTo(tasks, task, { status, before, after }) : task), ...given }
  // Whoever writes a description writes all of it.
  const updated: BoardTask = cut && !('description' in given) ? { ...changed, cut } : changed
  return [{ type: 'task_updated', payload: { task: updated } }]
}

export const useCreateTask = (boardId: number) =>
  useBoardMutation(boardId, {
    send: (given: NewTask, stamp) => client.tasks.create.mutate({ boardId, ...given }, stamp),
    learned: (task) => [{ type: 'new_task', payload: { task } }],
    meta: {
      success: { title: 'Task Created' },
      failure: { title: 'Creation Failed', description: 'Could not create the task. Please try again.' },
    },
  })

export const useUpdateTask = (boardId: number) =>
  useBoardMutation(boardId, {
    send: (input: { taskId: number } & TaskChanges, stamp) => client.tasks.update.mutate(input, stamp),
    foresee: foreseeUpdate,
    learned: (task) => [{ type: 'task_updated', payload: { task } }],
    meta: { failure: { title: 'Update Failed', description: 'Could not update task. Please try again.' } },
  })

export const useMoveTask = (boardId: number) =>
  useBoardMutation(boardId, {
    send: ({ taskId, place }: { taskId: number; place: Place }, stamp) => client.tasks.update.mutate({ taskId, ...place }, stamp),
    foresee: ({ taskId, place }, board) => foreseeUpdate({ taskId, ...place }, board),
    learned: (task) => [{ type: 'task_updated', payload: { task } }],
    meta: { failure: { title: 'Error', description: 'Could not update task status. Please try again.' } },
  })

const useRestoreTask = (boardId: number) =>
  useBoardMutation(boardId, {
    send: (taskId: number, stamp) => client.tasks.restore.mutate({ taskId }, stamp),
    learned: (task) => [{ type: 'new_task', payload: { task } }],
    meta: {
      success: { title: 'Task Restored' },
      failure: (error) => ({
        title: 'Restore Failed',
        description: refusalOf(error)?.message ?? 'Could not bring the task back. Please try again.',
      }),
    },
  })

/** Deletes a task at once, and offers for a moment to bring it back. */
export function useDeleteTask(boardId: number) {
  const restore = useRestoreTask(boardId)
  return useBoardMutation(boardId, {
    send: async (taskId: number, stamp) => {
      await client.tasks.delete.mutate({ taskId }, stamp)
      return taskId
    },
    foresee: (taskId) => [{ type: 'task_deleted', payload: { taskId } }],
    learned: (_answer, taskId) => [{ type: 'task_deleted', payload: { taskId } }],
    meta: {
      success: (taskId) => ({
        title: 'Task Deleted',
        duration: RESTORABLE_SECONDS * 1000,
        actions: [{ label: 'Undo', run: () => void restore.run(taskId as number) }],
      }),
      failure: deniedOr({ title: 'Deletion Failed', description: 'Could not delete the task. Please try again.' }),
    },
  })
}

export const useAssign = (boardId: number) =>
  useBoardMutation(boardId, {
    send: ({ taskId, user }: { taskId: number; user: UserSummary }, stamp) =>
      client.tasks.assign.mutate({ taskId, userId: user.id }, stamp),
    foresee: ({ taskId, user }) => [{ type: 'task_assignee_added', payload: { taskId, user } }],
    learned: (_task, { taskId, user }) => [{ type: 'task_assignee_added', payload: { taskId, user } }],
    meta: {
      success: { title: 'User Assigned' },
      failure: { title: 'Assignment Failed', description: 'Could not assign user to the task. Please try again.' },
    },
  })

export const useUnassign = (boardId: number) =>
  useBoardMutation(boardId, {
    send: ({ taskId, userId }: { taskId: number; userId: number }, stamp) =>
      client.tasks.unassign.mutate({ taskId, userId }, stamp),
    foresee: ({ taskId, userId }) => [{ type: 'task_assignee_removed', payload: { taskId, userId } }],
    learned: (_answer, { taskId, userId }) => [{ type: 'task_assignee_removed', payload: { taskId, userId } }],
    meta: {
      success: { title: 'Assignee Removed' },
      failure: { title: 'Removal Failed', description: 'Could not remove user from the task. Please try again.' },
    },
  })
