import type { Received } from '../../protocol'
import { changeKind } from '../../web/live/changeKinds'
import { submit } from '../../web/live/changes'
import { useChange } from '../../web/live/predictions'
import { deniedOr, refusalOf } from '../../web/refusal'
import type { Snapshot, TaskMessage } from '../schema'
import { tasksApi } from './api'
import { titleOf } from './cache'

const restore = changeKind({
  name: 'tasks.restore',
  send: ({ taskId }: { taskId: number }, call) => tasksApi.restore.mutate({ taskId }, call),
  texts: {
    success: { title: 'Task Restored' },
    failure: (error) => ({
      title: 'Restore Failed',
      description: refusalOf(error)?.message ?? 'Could not bring the task back. Please try again.',
    }),
  },
})

const remove = changeKind({
  name: 'tasks.delete',
  send: ({ taskId }: { taskId: number }, call) => tasksApi.delete.mutate({ taskId }, call),
  predict: (payload): Received<TaskMessage>[] => [{ type: 'task_deleted', payload }],
  undo:
    ({ taskId }, board: Snapshot | undefined, boardId) =>
    () => ({ text: 'Task deleted', about: titleOf(board, taskId), run: () => submit(boardId, restore, { taskId }) }),
  about: ({ taskId }, board: Snapshot | undefined) => titleOf(board, taskId),
  texts: {
    success: { title: 'Task Deleted' },
    failure: deniedOr({ title: 'Deletion Failed', description: 'Could not delete the task. Please try again.' }),
  },
})

export function useDeleteTask(boardId: number) {
  const { run } = useChange(boardId, remove)
  return { run: (taskId: number) => run({ taskId }) }
}
