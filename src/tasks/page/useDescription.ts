import { useCallback } from 'react'
import { client } from '../../web/client'
import { liveQuery } from '../../web/live/liveQuery'
import { useLive } from '../../web/live/predictions'
import { applyChange, type Change, type Reducers } from '../../web/live/reducers'
import { DESCRIPTION_PREVIEW } from '../basics'
import type { BoardTask, TaskMessage } from '../schema'

/** A task's description after one change of its board; one that the server cut says nothing of it. */
export const applyToDescription = (taskId: number, text: string, change: Change): string =>
  applyChange(descriptionReducers(taskId), text, change)

function descriptionReducers(taskId: number): Reducers<string, TaskMessage> {
  const update = (text: string, { task }: { task: BoardTask }) =>
    task.id === taskId && !('cut' in task) ? (task.description ?? '') : text
  return { new_task: update, task_updated: update }
}

/** `text` is undefined until the whole is read. A long one is kept, for the next snapshot cuts it. */
export function useDescription(boardId: number, task: BoardTask) {
  const { id: taskId, cut, description } = task
  const apply = useCallback((text: string, change: Change) => applyToDescription(taskId, text, change), [taskId])
  const read = async (signal: AbortSignal) => (await client.tasks.get.query({ taskId }, { signal })).description ?? ''
  const {
    data: whole,
    error,
    isError,
    isFetching,
    refetch,
  } = useLive(
    {
      ...liveQuery({ key: [boardId, 'description', taskId], read, apply }),
      enabled: cut || (description?.length ?? 0) > DESCRIPTION_PREVIEW,
      initialData: cut ? undefined : { data: description ?? '', versions: {} },
    },
    apply,
  )
  return {
    text: cut ? whole : (description ?? ''),
    /** Whether `text` is current, so that nothing is saved over an unseen change. */
    isKnown: !cut || (whole !== undefined && !isFetching && !isError),
    error,
    isError: cut && isError,
    isFetching,
    retry: () => void refetch(),
  }
}
