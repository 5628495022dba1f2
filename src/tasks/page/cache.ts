import type { Received } from '../../protocol'
import type { UserSummary } from '../../users/schema'
import { useBoardMutation } from '../../web/live/optimisticMutation'
import { deniedOr, refusalOf } from '../../web/refusal'
import {
  type BoardTask,
  type NewTask,
  RESTORABLE_SECONDS,
  type Snapshot,
  type Task,
  type TaskChanges,
  type TaskMessage,
} from '../schema'
import { tasksApi } from './api'
import { movedTo, type Place } from './taskPlace'

type TaskChange = Received<TaskMessage>

const created = (task: Task): TaskChange => ({ type: 'new_task', payload: { task } })
const updated = (task: BoardTask): TaskChange => ({ type: 'task_updated', payload: { task } })
const deleted = (taskId: number): TaskChange => ({ type: 'task_deleted', payload: { taskId } })
const assigned = (payload: { taskId: number; user: UserSummary }): TaskChange => ({ type: 'task_assignee_added', payload })
const unassigned = (payload: { taskId: number; userId: number }): TaskChange => ({ type: 'task_assignee_removed', payload })

function predictUpdate({ taskId, ...changes }: { taskId: number } & TaskChanges, board: Snapshot | undefined): TaskChange[] {
  const task = board?.tasks.find(({ id }) => id === taskId)
  if (!board || !task) return []
  const { status = task.status, before, after, ...fields } = changes
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const moves = status !== task.status || before !== undefined || after !== undefined
  const { cut, ...changed } = { ...(moves ? movedTo(board.tasks, task, { status, before, after }) : task), ...given }
  // A new description is complete, even where the board held only the beginning of the old one.
  return [updated(cut && !('description' in given) ? { ...changed, cut } : changed)]
}

export const useCreateTask = (boardId: number) =>
  useBoardMutation(boardId, {
    send: (given: NewTask, stamp) => tasksApi.create.mutate({ boardId, ...given }, stamp),
    fromAnswer: (task) => [created(task)],
    meta: {
      success: { title: 'Task Created' },
      failure: { title: 'Creation Failed', description: 'Could not create the task. Please try again.' },
    },
  })

export const useUpdateTask = (boardId: number) =>
  useBoardMutation(boardId, {
    send: (input: { taskId: number } & TaskChanges, stamp) => tasksApi.update.mutate(input, stamp),
    predict: predictUpdate,
    fromAnswer: (task) => [updated(task)],
    meta: { failure: { title: 'Update Failed', description: 'Could not update task. Please try again.' } },
  })

export const useMoveTask = (boardId: number) =>
  useBoardMutation(boardId, {
    send: ({ taskId, place }: { taskId: number; place: Place }, stamp) => tasksApi.update.mutate({ taskId, ...place }, stamp),
    predict: ({ taskId, place }, board: Snapshot | undefined) => predictUpdate({ taskId, ...place }, board),
    fromAnswer: (task) => [updated(task)],
    meta: { failure: { title: 'Error', description: 'Could not update task status. Please try again.' } },
  })

const useRestoreTask = (boardId: number) =>
  useBoardMutation(boardId, {
    send: (taskId: number, stamp) => tasksApi.restore.mutate({ taskId }, stamp),
    fromAnswer: (task) => [created(task)],
    meta: {
      success: { title: 'Task Restored' },
      failure: (error) => ({
        title: 'Restore Failed',
        description: refusalOf(error)?.message ?? 'Could not bring the task back. Please try again.',
      }),
    },
  })

/** Deletes without a question and offers an undo. */
export function useDeleteTask(boardId: number) {
  const restore = useRestoreTask(boardId)
  return useBoardMutation(boardId, {
    send: async (taskId: number, stamp) => {
      await tasksApi.delete.mutate({ taskId }, stamp)
      return taskId
    },
    predict: (taskId) => [deleted(taskId)],
    fromAnswer: (_answer, taskId) => [deleted(taskId)],
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
      tasksApi.assign.mutate({ taskId, userId: user.id }, stamp),
    predict: (assignment) => [assigned(assignment)],
    fromAnswer: (_task, assignment) => [assigned(assignment)],
    meta: {
      success: { title: 'User Assigned' },
      failure: { title: 'Assignment Failed', description: 'Could not assign user to the task. Please try again.' },
    },
  })

export const useUnassign = (boardId: number) =>
  useBoardMutation(boardId, {
    send: ({ taskId, userId }: { taskId: number; userId: number }, stamp) => tasksApi.unassign.mutate({ taskId, userId }, stamp),
    predict: (assignment) => [unassigned(assignment)],
    fromAnswer: (_answer, assignment) => [unassigned(assignment)],
    meta: {
      success: { title: 'Assignee Removed' },
      failure: { title: 'Removal Failed', description: 'Could not remove user from the task. Please try again.' },
    },
  })
