import { and, eq, ne } from 'drizzle-orm'
import type { MemberGrant } from '../../../boards/server/grants'
import type { BoardRow } from '../../../boards/server/lookup'
import type { Db } from '../../../db/client'
import { timeEntries } from '../../../db/schema'
import { notFound } from '../../../server/errors'
import type { Granted } from '../../../server/granted'
import type { SignedIn } from '../../../server/session'
import type { Task } from '../../../tasks/schema'
import { grantTask, type TaskGrant } from '../../../tasks/server/grants'
import { boardOfTask } from '../../../tasks/server/lookup'
import type { TimeEntry } from '../../entries/schema'
import type { EntryWriteGrant, ResumeGrant } from '../../entries/server/grants'
import { isActive, lockTimers, readEntries, toEntry } from '../../entries/server/lookup'
import { timersOfMember, timersOfTask } from './lookup'

/** To start a timer on a task: the board of the one that runs is locked too, as that one pauses. */
export type StartGrant = Granted<
  { viewer: SignedIn; board: BoardRow; task: Task },
  'timer:start' | 'task:change' | 'board:change' | 'announce'
>
/** To pause one's own timer that runs, on whichever board. */
export type RunningTimerGrant = Granted<{ viewer: SignedIn; board: { id: number }; entry: TimeEntry }, 'entry:write' | 'announce'>

/** To start a timer, within a transaction. Throws NOT_FOUND, FORBIDDEN. */
export async function grantStarting(db: Db, viewer: SignedIn, taskId: number): Promise<StartGrant> {
  const boardId = await boardOfTask(db, taskId)
  if (boardId === undefined) throw notFound('Task not found')
  await lockTimers(db, viewer.id, boardId)
  return (await grantTask(db, viewer, taskId, 'change')) as unknown as StartGrant
}

/** To pause the viewer's timer that runs, but for `except`; null where none does. */
export async function grantPausingRunning(db: Db, { viewer }: StartGrant | ResumeGrant, except = 0) {
  const running = and(eq(timeEntries.userId, viewer.id), isActive, ne(timeEntries.id, except))
  const [row] = await readEntries(db).where(running)
  return row ? ({ viewer, board: { id: row.boardId }, entry: toEntry(row) } as RunningTimerGrant) : null
}

/** To pause the timers that run on a task which is about to be deleted. */
export const grantTimersOfTask = async (db: Db, { task }: TaskGrant<'delete'>) =>
  (await timersOfTask(db, task.id)).map((entry) => ({ entry }) as EntryWriteGrant)

/** To complete the timers of a member who goes. */
export const grantTimersOfMember = async (db: Db, { board, memberId }: MemberGrant) =>
  (await timersOfMember(db, board.id, memberId)).map((entry) => ({ entry }) as EntryWriteGrant)
