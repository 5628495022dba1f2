import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { applyChange, type Change, type Reducers } from '../../web/live/changes'
import { liveListQuery } from '../../web/live/lists'
import { usePredicted } from '../../web/live/mutation'
import { type BoardTask, DESCRIPTION_SHOWN, type TaskMessage } from '../schema'
import { tasksApi } from './api'

/** A task's description after one change of its board; a cut one says nothing of it. Pure and idempotent. */
export const applyToDescription = (taskId: number, text: string, change: Change): string =>
  applyChange(descriptionReducers(taskId), text, change)

function descriptionReducers(taskId: number): Reducers<string, TaskMessage> {
  const update = (text: string, { task }: { task: BoardTask }) =>
    task.id === taskId && !('cut' in task) ? (task.description ?? '') : text
  return { new_task: update, task_updated: update }
}

/**
 * The whole description of a task, of which the board may hold the beginning only; `text` is undefined until it is
 * there. One that is long is kept beside the board from the start, for the board cuts it whenever it is read again.
 */
export function useDescription(boardId: number, task: BoardTask) {
  const { id: taskId, cut, description } = task
  const apply = useCallback((text: string, change: Change) => applyToDescription(taskId, text, change), [taskId])
  const read = async (signal: AbortSignal) => (await tasksApi.get.query({ taskId }, { signal })).description ?? ''
  const { data, isError, isFetching, refetch } = useQuery({
    ...liveListQuery(boardId, ['description', taskId], read, apply),
    enabled: cut || (description?.length ?? 0) > DESCRIPTION_SHOWN,
    initialData: cut ? undefined : (description ?? ''),
  })
  const whole = usePredicted(boardId, data, apply)
  return {
    text: cut ? whole : (description ?? ''),
    /** Whether the text is as it is now, so that nothing is saved over what one has not seen. */
    isKnown: !cut || (whole !== undefined && !isFetching && !isError),
    isError: cut && isError,
    isFetching,
    retry: () => void refetch(),
  }
}
