import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LISTED_AT_ONCE } from '../../basics'
import { useBoardView } from '../../boards/page/cache'
import type { Received } from '../../protocol'
import { client } from '../../web/client'
import { changeKind } from '../../web/live/changeKinds'
import { submit } from '../../web/live/changes'
import { handle } from '../../web/live/messageHandlers'
import { useChange } from '../../web/live/predictions'
import { listen, useLiveMessages } from '../../web/live/socket'
import { queryClient } from '../../web/queryClient'
import { deniedOr, refusalOf } from '../../web/refusal'
import { READ_EVERY, throttled } from '../../web/throttled'
import { trpc } from '../../web/trpc'
import type { DeletedTask, Snapshot, TaskMessage } from '../schema'
import { titleOf } from './cache'

const restore = changeKind({
  name: 'tasks.restore',
  send: ({ taskId }: { taskId: number; title?: string }, call) => client.tasks.restore.mutate({ taskId }, call),
  about: ({ title = '' }) => title,
  texts: {
    failure: (error) => ({
      title: 'Restore Failed',
      description: refusalOf(error)?.message ?? 'Could not bring the task back. Please try again.',
    }),
  },
})

const remove = changeKind({
  name: 'tasks.delete',
  send: ({ taskId }: { taskId: number }, call) => client.tasks.delete.mutate({ taskId }, call),
  predict: (payload): Received<TaskMessage>[] => [{ type: 'task_deleted', payload }],
  undo:
    ({ taskId }, board: Snapshot | undefined, boardId) =>
    () => ({
      title: 'Task Deleted',
      description: titleOf(board, taskId),
      run: () => submit(boardId, restore, { taskId }),
      until: (end) => listen(handle({ new_task: ({ task }) => task.id === taskId && end() })),
    }),
  about: ({ taskId }, board: Snapshot | undefined) => titleOf(board, taskId),
  texts: {
    failure: deniedOr({ title: 'Deletion Failed', description: 'Could not delete the task. Please try again.' }),
  },
})

export function useDeleteTask(boardId: number) {
  const { run } = useChange(boardId, remove)
  return { run: (taskId: number) => run({ taskId }) }
}

export function useRestoreTask(boardId: number) {
  const { run, isPending } = useChange(boardId, restore)
  return { run: ({ id: taskId, title }: DeletedTask) => run({ taskId, title }), isPending }
}

const deletedTasksQuery = (boardId: number) => ({ ...trpc.tasks.deleted.queryOptions({ boardId }), staleTime: 0 })

/** Read again when a task goes or comes, and after a join, before which some may have. */
export function useDeletedTasks(boardId: number) {
  const query = deletedTasksQuery(boardId)
  const [readAgain] = useState(() => throttled(() => queryClient.invalidateQueries(query), READ_EVERY))
  const concerns = (payload: { boardId: number }) => payload.boardId === boardId && readAgain()
  useLiveMessages({ task_deleted: concerns, new_task: concerns, joined_board: concerns })
  const { data, ...rest } = useQuery(query)
  // One that was restored is on the board before the list has been read again.
  const onBoard = new Set(useBoardView(boardId)?.tasks.map(({ id }) => id))
  return { tasks: data?.filter(({ id }) => !onBoard.has(id)), isFull: data?.length === LISTED_AT_ONCE, ...rest }
}
