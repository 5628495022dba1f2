import type { ServerMessage } from '../../../protocol'
import type { BoardTask } from '../../schema'
import { cutDescription } from '../list/store'

const MOST = 500
/** Of all boards together. Whoever opens a board soon spares reading them; where nobody does, they are not to fill the memory. */
const MOST_WHOLE = 500

/** `task` is as the change left it, where that is known without reading it. */
type Change = { taskId: number; task?: BoardTask }
/** What this process has heard of a board since it was read: by version, the task that changed, or null for anything else. */
type Heard = Map<number, Change | null>

/** Keeps which tasks changed on the boards that are asked for, so that only these are read again. */
export function createChangedTasks() {
  const boards = new Map<number, Heard>()
  /** The oldest first. */
  const whole = new Set<Change | null>()

  function keepWhole(change: Change) {
    whole.add(change)
    const [oldest] = whole
    if (!oldest || whole.size <= MOST_WHOLE) return
    whole.delete(oldest)
    delete oldest.task
  }

  return {
    hear(message: ServerMessage) {
      const { payload } = message
      if (!('by' in payload)) return
      const heard = boards.get(payload.boardId)
      if (!heard || heard.size >= MOST) return
      const change = changeIn(message)
      heard.set(payload.version, change)
      if (change?.task) keepWhole(change)
    },
    /** From now on; what was heard up to this version is forgotten. */
    follow(boardId: number, version = Number.NEGATIVE_INFINITY) {
      const heard: Heard = boards.get(boardId) ?? new Map()
      boards.set(boardId, heard)
      for (const [known, change] of heard) {
        if (known > version) continue
        heard.delete(known)
        whole.delete(change)
      }
    },
    forget(boardId: number) {
      for (const change of boards.get(boardId)?.values() ?? []) whole.delete(change)
      boards.delete(boardId)
    },
    /** By id, the tasks that changed after one version and up to another; undefined where that is not known, or more changed. */
    between(boardId: number, from: number, to: number): Map<number, BoardTask | undefined> | undefined {
      const heard = boards.get(boardId)
      const changed = new Map<number, BoardTask | undefined>()
      for (let version = from + 1; version <= to; version++) {
        const change = heard?.get(version)
        if (!change) return undefined
        changed.set(change.taskId, change.task)
      }
      return changed
    },
  }
}

function changeIn({ type, payload }: ServerMessage): Change | null {
  if (type === 'new_task' || type === 'task_updated') return { taskId: payload.task.id, task: cutDescription(payload.task) }
  return 'taskId' in payload && typeof payload.taskId === 'number' ? { taskId: payload.taskId } : null
}
