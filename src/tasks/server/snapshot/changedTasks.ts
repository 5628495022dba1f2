import type { ServerMessage } from '../../../protocol'

const MOST = 500

/** What this process has heard of a board since it was read: by version, the task that changed, or null for anything else. */
type Heard = Map<number, number | null>

/** Keeps which tasks changed on the boards that are asked for, so that only these are read again. */
export function createChangedTasks() {
  const boards = new Map<number, Heard>()

  return {
    hear({ payload }: ServerMessage) {
      if (!('by' in payload)) return
      const heard = boards.get(payload.boardId)
      if (heard && heard.size < MOST) heard.set(payload.version, taskIn(payload))
    },
    /** From now on; what was heard up to this version is forgotten. */
    follow(boardId: number, version = Number.NEGATIVE_INFINITY) {
      const heard = boards.get(boardId) ?? new Map()
      boards.set(boardId, heard)
      for (const known of heard.keys()) if (known <= version) heard.delete(known)
    },
    forget: (boardId: number) => boards.delete(boardId),
    /** The tasks that changed after one version and up to another; undefined where that is not known, or more changed. */
    between(boardId: number, from: number, to: number): Set<number> | undefined {
      const heard = boards.get(boardId)
      const changed = new Set<number>()
      for (let version = from + 1; version <= to; version++) {
        const taskId = heard?.get(version)
        if (taskId === undefined || taskId === null) return undefined
        changed.add(taskId)
      }
      return changed
    },
  }
}

function taskIn(payload: object): number | null {
  if ('taskId' in payload && typeof payload.taskId === 'number') return payload.taskId
  if (!('task' in payload) || typeof payload.task !== 'object' || payload.task === null) return null
  return 'id' in payload.task && typeof payload.task.id === 'number' ? payload.task.id : null
}
