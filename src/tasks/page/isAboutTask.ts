import type { Message } from '../../protocol'

/** Whether a message names a task; undefined where it names none. */
export function isAboutTask({ payload }: Message, taskId: number): boolean | undefined {
  if ('taskId' in payload) return payload.taskId === taskId
  // Messages carry whole tasks under this name.
  return 'task' in payload ? (payload.task as { id: number }).id === taskId : undefined
}
