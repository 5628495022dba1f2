import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useWithForeseen } from '../../boards/page/boardMutation'
import type { BoardChange } from '../../protocol'
import { listQuery } from '../../web/liveLists'
import { client } from '../../web/trpc'
import { type BoardTask, DESCRIPTION_SHOWN } from '../schema'

/** A task's description after one change of its board; a cut one says nothing of it. Pure and idempotent. */
export function applyToDescription(taskId: number, text: string, change: BoardChange): string {
  if (change.type !== 'task_updated' && change.type !== 'new_task') return text
  const { task } = change.payload
  return task.id === taskId && !('cut' in task) ? (task.description ?? '') : text
}

/**
 * The whole description of a task, of which the board may hold the beginning only; `text` is undefined until it is
 * there. One that is long is kept beside the board from the start, for the board cuts it whenever it is read again.
 */
export function useDescription(boardId: number, task: BoardTask) {
  const { id: taskId, cut, description } = task
  const apply = useCallback((text: string, change: BoardChange) => applyToDescription(taskId, text, change), [taskId])
  const read = async (signal: AbortSignal) => (await client.tasks.get.query({ taskId }, { signal })).description ?? ''
  const { data, isError, isFetching, refetch } = useQuery({
    ...listQuery(boardId, ['description', taskId], read, apply),
    enabled: cut || (description?.length ?? 0) > DESCRIPTION_SHOWN,
    initialData: cut ? undefined : (description ?? ''),
  })
  const whole = useWithForeseen(boardId, data, apply)
  return {
    text: cut ? whole : (description ?? ''),
    /** Whether the text is as it is now, so that nothing is saved over what one has not seen. */
    isKnown: !cut || (whole !== undefined && !isFetching && !isError),
    isError: cut && isError,
    isFetching,
    retry: () => void refetch(),
  }
}
