import type { ServerMessage } from '../../../protocol'
import { cutDescription } from '../list/store'
import { type Line, toLine } from './pieces'

/** Of a board; one that changed more often is read whole. */
const MOST_CHANGES = 500
/** Of all boards together: boards that nobody opens must not fill the memory. */
const MOST_LINES = 500

/** `line` is the task as the change left it, where it was announced. */
type Change = { taskId: number; line?: Line }
/** What this process has heard of a board since it was read: by version, the task that changed, or null for anything else. */
type Heard = Map<number, Change | null>

/** Keeps which tasks changed on the boards that are asked for, so that at most these are read again. */
export function createChangedTasks() {
  const boards = new Map<number, Heard>()
  /** The oldest first. */
  const withLine = new Set<Change>()

  function keepLineOf(change: Change | null) {
    if (!change?.line) return
    withLine.add(change)
    const [oldest] = withLine
    if (oldest && withLine.size > MOST_LINES) dropLineOf(oldest)
  }

  /** Which task changed stays known. */
  function dropLineOf(change: Change | null | undefined) {
    if (!change) return
    withLine.delete(change)
    delete change.line
  }

  function forget(boardId: number) {
    for (const change of boards.get(boardId)?.values() ?? []) dropLineOf(change)
    boards.delete(boardId)
  }

  return {
    hear(message: ServerMessage) {
      const { payload } = message
      if (!('by' in payload)) return
      const { boardId, version } = payload
      const heard = boards.get(boardId)
      if (!heard) return
      if (heard.size >= MOST_CHANGES) return forget(boardId)
      dropLineOf(heard.get(version))
      const change = changeIn(message)
      heard.set(version, change)
      keepLineOf(change)
    },
    /** From now on; what was heard up to this version is forgotten. */
    follow(boardId: number, version = Number.NEGATIVE_INFINITY) {
      const heard: Heard = boards.get(boardId) ?? new Map()
      boards.set(boardId, heard)
      for (const [known, change] of heard) {
        if (known > version) continue
        dropLineOf(change)
        heard.delete(known)
      }
    },
    forget,
    /**
     * The tasks that changed after one version and up to another: those that were announced, and the ids of those that are to be
     * read; undefined where not all of it is known, or more changed.
     */
    between(boardId: number, from: number, to: number): { lines: Line[]; unread: number[] } | undefined {
      const heard = boards.get(boardId)
      const changed = new Map<number, Line | undefined>()
      for (let version = from + 1; version <= to; version++) {
        const change = heard?.get(version)
        if (!change) return undefined
        const { taskId, line } = change
        // What is announced of a task leaves out its timers: where these may have changed before, it is read.
        const isToRead = changed.has(taskId) && !changed.get(taskId)
        changed.set(taskId, isToRead ? undefined : line)
      }
      const lines = [...changed.values()].filter((line) => line !== undefined)
      return { lines, unread: [...changed.keys()].filter((id) => !changed.get(id)) }
    },
  }
}

/** Only these two announce all that the list has of a task, and neither starts or stops a timer. */
function changeIn({ type, payload }: ServerMessage): Change | null {
  if (type === 'new_task' || type === 'task_updated')
    return { taskId: payload.task.id, line: toLine(cutDescription(payload.task)) }
  return 'taskId' in payload && typeof payload.taskId === 'number' ? { taskId: payload.taskId } : null
}
