import { and, eq, ne } from 'drizzle-orm'
import { isLocked, mayChangeTimeEntry, mayChangeTimerWhileLocked, type TimerTransition } from '../../access'
import { assertUnlocked, type DeletionGrant } from '../../boards/server/grants'
import { type BoardRow, lockBoard } from '../../boards/server/lookup'
import type { Db } from '../../db/database'
import { timeEntries } from '../../db/tables'
import { forbidden, notFound } from '../../server/errors'
import type { Granted, SignedIn } from '../../server/signedIn'
import type { Task } from '../../tasks/schema'
import { grantTask, requireMemberOfTask, type TaskGrant } from '../../tasks/server/grants'
import { boardOfTask } from '../../tasks/server/lookup'
import { NOT_YOURS } from '../limits'
import type { TimeEntry } from '../schema'
import { activeTimers, boardOfEntry, findEntry, isActive, lockTimers, selectEntries, timersOfMember, toEntry } from './lookup'

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
  await lockBoard(db, await requireBoardOf(db, entryId))
  return (await requireOwnEntry(db, viewer, entryId, to, fields)) as EntryGrant
}

/** Throws NOT_FOUND, FORBIDDEN. */
export async function grantResuming(db: Db, viewer: SignedIn, entryId: number, fields: string[]): Promise<ResumeGrant> {
  await lockTimers(db, viewer.id, await requireBoardOf(db, entryId))
  return (await requireOwnEntry(db, viewer, entryId, 'ACTIVE', fields)) as ResumeGrant
}

async function requireBoardOf(db: Db, entryId: number): Promise<number> {
  const boardId = await boardOfEntry(db, entryId)
  if (boardId === undefined) throw notFound(MISSING)
  return boardId
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

export type StartGrant = TaskGrant<'change'> & Granted<object, 'timer:start'>
export type RunningTimerGrant = Granted<{ viewer: SignedIn; board: { id: number }; entry: TimeEntry }, 'entry:write' | 'announce'>

/** Locks the board of the running timer too, because that one is paused. Throws NOT_FOUND, FORBIDDEN. */
export async function grantStarting(db: Db, viewer: SignedIn, taskId: number): Promise<StartGrant> {
  const boardId = await boardOfTask(db, taskId)
  if (boardId === undefined) throw notFound('Task not found')
  await lockTimers(db, viewer.id, boardId)
  return (await grantTask(db, viewer, taskId, 'change')) as StartGrant
}

/** Null if no timer runs. The grants that it takes hold `lockTimers`. */
export async function grantPausingRunning(db: Db, { viewer }: StartGrant | ResumeGrant, exceptEntryId = 0) {
  const running = and(eq(timeEntries.userId, viewer.id), isActive, ne(timeEntries.id, exceptEntryId))
  const [row] = await selectEntries(db).where(running)
  return row ? ({ viewer, board: { id: row.boardId }, entry: toEntry(row) } as RunningTimerGrant) : null
}

export const grantTimersOfTask = async (db: Db, { task }: TaskGrant<'delete'>) =>
  (await activeTimers(db, eq(timeEntries.taskId, task.id))).map((entry) => ({ entry }) as EntryWriteGrant)

export const grantTimersOfBoard = async (db: Db, { board }: DeletionGrant) =>
  (await activeTimers(db, eq(timeEntries.boardId, board.id))).map((entry) => ({ entry }) as EntryWriteGrant)

type LeavingGrant = Granted<{ board: { id: number }; memberId: number }, 'board:removeMember'>

export const grantTimersOfMember = async (db: Db, { board, memberId }: LeavingGrant) =>
  (await timersOfMember(db, board.id, memberId)).map((entry) => ({ entry }) as EntryWriteGrant)
