import { isLocked, mayChangeTimeEntry, mayChangeTimerWhileLocked, type TimerTransition } from '../../../access'
import { assertUnlocked } from '../../../boards/server/grants'
import { type BoardRow, lockBoard } from '../../../boards/server/lookup'
import type { Db } from '../../../db/client'
import { forbidden, notFound } from '../../../server/errors'
import type { Granted } from '../../../server/granted'
import type { SignedIn } from '../../../server/session'
import type { Task } from '../../../tasks/schema'
import { asMemberOfTask } from '../../../tasks/server/grants'
import { NOT_YOURS, type TimeEntry } from '../schema'
import { boardOfEntry, findEntry, lockTimers } from './lookup'

type Facts = { viewer: SignedIn; board: BoardRow; task: Task; entry: TimeEntry; isLocked: boolean }

/** To store values of an entry. */
export type EntryWriteGrant = Granted<{ entry: TimeEntry }, 'entry:write'>
/** To change one's own entry. */
export type EntryGrant = Granted<Facts, 'entry:change' | 'entry:write' | 'announce'>
/** To resume one's own timer, while the one that runs is locked too. */
export type ResumeGrant = Granted<Facts, 'entry:change' | 'entry:write' | 'announce' | 'timer:start'>

const MISSING = 'Time entry not found'

/**
 * To change a time entry, or its timer's status, within a transaction. On a locked board a timer may be stopped, and nothing
 * else (`fields` are those that change). Throws NOT_FOUND, FORBIDDEN.
 */
export async function grantEntry(
  db: Db,
  viewer: SignedIn,
  entryId: number,
  to?: TimerTransition,
  fields: string[] = [],
): Promise<EntryGrant> {
  const boardId = await boardOfEntry(db, entryId)
  if (boardId !== undefined) await lockBoard(db, boardId)
  return (await own(db, viewer, entryId, boardId, to, fields)) as EntryGrant
}

/** As `grantEntry`, to resume a timer: locks the boards of all that this changes. */
export async function grantResuming(db: Db, viewer: SignedIn, entryId: number, fields: string[]): Promise<ResumeGrant> {
  const boardId = await boardOfEntry(db, entryId)
  await lockTimers(db, viewer.id, boardId)
  return (await own(db, viewer, entryId, boardId, 'ACTIVE', fields)) as ResumeGrant
}

async function own(
  db: Db,
  viewer: SignedIn,
  entryId: number,
  boardId: number | undefined,
  to: TimerTransition | undefined,
  fields: string[],
): Promise<Facts> {
  const entry = await findEntry(db, entryId)
  if (!entry) throw notFound(MISSING)
  const { board, task } = await asMemberOfTask(db, viewer, entry.taskId, boardId, MISSING)
  if (!mayChangeTimeEntry(viewer, entry)) throw forbidden(NOT_YOURS)
  if (!mayChangeTimerWhileLocked(entry, to, fields)) assertUnlocked(viewer, board)
  return { viewer, board, task, entry, isLocked: isLocked(viewer, board) }
}
