import type { BoardChange } from '../../protocol'

/** Whether a message is about a task: its payload has the task, or its id. Undefined for what is about no task. */
export function isAboutTask({ payload }: BoardChange, taskId: number): boolean | undefined {
  if ('taskId' in payload) return payload.taskId === taskId
  return 'task' in payload ? payload.task.id === taskId : undefined
}
