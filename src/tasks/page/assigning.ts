import type { Received } from '../../protocol'
import { displayName, type UserSummary } from '../../users/schema'
import { client } from '../../web/client'
import { changeKind } from '../../web/live/changeKinds'
import { submit } from '../../web/live/changes'
import { useChange } from '../../web/live/predictions'
import type { Snapshot, TaskMessage } from '../schema'
import { titleOf } from './cache'

type TaskChange = Received<TaskMessage>

const assign = changeKind({
  name: 'tasks.assign',
  send: ({ taskId, user }: { taskId: number; user: UserSummary }, call) =>
    client.tasks.assign.mutate({ taskId, userId: user.id }, call),
  predict: (payload): TaskChange[] => [{ type: 'task_assignee_added', payload }],
  undo:
    ({ taskId, user }, board: Snapshot | undefined, boardId) =>
    () => ({
      title: 'User Assigned',
      description: `${displayName(user)} · ${titleOf(board, taskId)}`,
      run: (): Promise<unknown> => submit(boardId, unassign, { taskId, userId: user.id }),
    }),
  about: ({ taskId }, board: Snapshot | undefined) => titleOf(board, taskId),
  texts: {
    failure: { title: 'Assignment Failed', description: 'Could not assign user to the task. Please try again.' },
  },
})

export const useAssign = (boardId: number) => useChange(boardId, assign)

const unassign = changeKind({
  name: 'tasks.unassign',
  send: (input: { taskId: number; userId: number }, call) => client.tasks.unassign.mutate(input, call),
  predict: (payload): TaskChange[] => [{ type: 'task_assignee_removed', payload }],
  undo({ taskId, userId }, board: Snapshot | undefined, boardId) {
    const task = board?.tasks.find(({ id }) => id === taskId)
    const user = task?.assignees.find(({ id }) => id === userId)
    if (!user) return null
    return () => ({
      title: 'Assignee Removed',
      description: `${displayName(user)} · ${task?.title ?? ''}`,
      run: (): Promise<unknown> => submit(boardId, assign, { taskId, user }),
    })
  },
  about: ({ taskId }, board: Snapshot | undefined) => titleOf(board, taskId),
  texts: {
    failure: { title: 'Removal Failed', description: 'Could not remove user from the task. Please try again.' },
  },
})

export const useUnassign = (boardId: number) => useChange(boardId, unassign)
