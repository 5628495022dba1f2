import type { Message } from '../../protocol'

/** Whether a message is about a task: its payload has the task, or its id. Undefined for what is about no task. */
export function isAboutTask({ payload }: Message, taskId: number): boolean | undefined {
  if ('taskId' in payload) return payload.taskId === taskId
  // Messages carry whole tasks under this name.
  return 'task' in payload ? (payload.task as { id: number }).id === taskId : undefined
}
