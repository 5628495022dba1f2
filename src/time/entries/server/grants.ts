import { isLocked, mayChangeTimeEntry, mayChangeTimerWhileLocked, type TimerTransition } from '../../../access'
import { assertUnlocked } from '../../../boards/server/grants'
import { type BoardRow, lockBoard } from '../../../boards/server/lookup'
import type { Db } from '../../../db/database'
import { forbidden, notFound } from '../../../server/errors'
import type { Granted } from '../../../server/granted'
import type { SignedIn } from '../../../server/signedIn'
import type { Task } from '../../../tasks/schema'
import { requireMemberOfTask } from '../../../tasks/server/grants'
import { lockTimers } from '../../timers/server/lookup'
import { NOT_YOURS, type TimeEntry } from '../schema'
import { boardOfEntry, findEntry } from './lookup'

type EntryAccess = { viewer: SignedIn; board: BoardRow; task: Task; entry: TimeEntry; isLocked: boolean }

export type EntryWriteGrant = Granted<{ entry: TimeEntry }, 'entry:write'>
export type EntryGrant = Granted<EntryAccess, 'entry:change' | 'entry:write' | 'announce'>
/** Resuming locks the running timer too, because that one is paused. */
export type ResumeGrant = Granted<EntryAccess, 'entry:change' | 'entry:write' | 'announce' | 'timer:start'>

const MISSING = 'Time entry not found'

/** `fields` are those that change, as a locked board only allows stopping a timer. Throws NOT_FOUND, FORBIDDEN. */
export async function grantEntry(
  db: Db,
  viewer: SignedIn,
  entryId: number,
  to?: TimerTransition,
  fields: string[] = [],
): Promise<EntryGrant> {
  const boardId = await boardOfEntry(db, entryId)
  if (boardId === undefined) throw notFound(MISSING)
  await lockBoard(db, boardId)
  return (await requireOwnEntry(db, viewer, entryId, to, fields)) as EntryGrant
}

/** Throws NOT_FOUND, FORBIDDEN. */
export async function grantResuming(db: Db, viewer: SignedIn, entryId: number, fields: string[]): Promise<ResumeGrant> {
  const boardId = await boardOfEntry(db, entryId)
  if (boardId === undefined) throw notFound(MISSING)
  await lockTimers(db, viewer.id, boardId)
  return (await requireOwnEntry(db, viewer, entryId, 'ACTIVE', fields)) as ResumeGrant
}

async function requireOwnEntry(
  db: Db,
  viewer: SignedIn,
  entryId: number,
  to: TimerTransition | undefined,
  fields: string[],
): Promise<EntryAccess> {
  const entry = await findEntry(db, entryId)
  if (!entry) throw notFound(MISSING)
  const { board, task } = await requireMemberOfTask(db, viewer, entry.taskId, MISSING)
  if (!mayChangeTimeEntry(viewer, entry)) throw forbidden(NOT_YOURS)
  if (!mayChangeTimerWhileLocked(entry, to, fields)) assertUnlocked(viewer, board)
  return { viewer, board, task, entry, isLocked: isLocked(viewer, board) }
}
