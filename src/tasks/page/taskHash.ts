/** In a board's address: names the open task, and a comment that it is opened for. */
export const taskHash = (taskId: number, commentId?: number | null): string =>
  commentId ? `task-${taskId}-comment-${commentId}` : `task-${taskId}`

const HASH = /^task-(-?\d+)(?:-comment-(\d+))?$/

/** Not a number where there is none. */
export function inTaskHash(hash: string): { taskId: number; commentId: number } {
  const [, taskId, commentId] = HASH.exec(hash) ?? []
  return { taskId: Number(taskId), commentId: Number(commentId) }
}
