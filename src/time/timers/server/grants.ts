import { and, eq, ne } from 'drizzle-orm'
import type { DeletionGrant } from '../../../boards/server/grants'
import type { Db } from '../../../db/database'
import { timeEntries } from '../../../db/schema'
import { notFound } from '../../../server/errors'
import type { Granted } from '../../../server/granted'
import type { SignedIn } from '../../../server/signedIn'
import { grantTask, type TaskGrant } from '../../../tasks/server/grants'
import { boardOfTask } from '../../../tasks/server/lookup'
import type { TimeEntry } from '../../entries/schema'
import type { EntryWriteGrant, ResumeGrant } from '../../entries/server/grants'
import { selectEntries, toEntry } from '../../entries/server/lookup'
import { activeTimers, isActive, lockTimers, timersOfMember } from './lookup'

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
