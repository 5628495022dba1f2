import { snapshotReducers } from '../../src/app/start'
import { applyToComments } from '../../src/comments/page/cache'
import type { Comment } from '../../src/comments/schema'
import type { AnnouncedChange } from '../../src/protocol'
import type { Snapshot } from '../../src/tasks/schema'
import { applyToEntries } from '../../src/time/page/entriesCache'
import type { TimeEntry } from '../../src/time/schema'
import { applyChange } from '../../src/web/live/reducers'

// What the page does with a message, done with the page's own functions: here alone the harness knows them.

/** A board with the messages that follow on it, and what is still missing then; both in the order of their versions. */
export function follow(snapshot: Snapshot, messages: AnnouncedChange[]): { snapshot: Snapshot; left: AnnouncedChange[] } {
  let board = snapshot
  const left: AnnouncedChange[] = []
  for (const message of messages) {
    const { version } = message.payload
    if (version <= board.board.version) continue
    if (version === board.board.version + 1) board = applied(board, message)
    else left.push(message)
  }
  return { snapshot: board, left }
}

function applied(snapshot: Snapshot, message: AnnouncedChange): Snapshot {
  const changed = snapshotReducers.reduce<Snapshot>((board, reducers) => applyChange(reducers, board, message), snapshot)
  return { ...changed, board: { ...changed.board, version: message.payload.version } }
}

export type Opened = { taskId: number; comments: Comment[]; entries: TimeEntry[] }

export const followOpened = (opened: Opened, message: AnnouncedChange): Opened => ({
  ...opened,
  comments: applyToComments(opened.taskId, opened.comments, message),
  entries: applyToEntries(opened.taskId, opened.entries, message),
})
