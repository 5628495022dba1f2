import { and, asc, eq, sql } from 'drizzle-orm'
import type { Board } from '../../../boards/schema'
import type { BoardGrant } from '../../../boards/server/grants'
import { readBoard } from '../../../boards/server/store'
import type { Db } from '../../../db/database'
import { atOnce, type Given, prepared } from '../../../db/prepared'
import { boardMembers, tasks, timeEntries } from '../../../db/schema'
import type { BoardTask, RunningTimer } from '../../schema'
import { boardTasksById, listBoardTasks } from '../list/store'
import { notDeleted } from '../lookup'

export type Head = { board: Board; timers: RunningTimer[] }

/** Calls `consume` with a board and batches of its tasks, all of one version. Throws NOT_FOUND if the board is gone. */
export const readSnapshot = <T>(
  db: Db,
  grant: BoardGrant<'read'>,
  consume: (head: Head, tasks: AsyncIterable<BoardTask[]>) => Promise<T>,
): Promise<T> =>
  db.transaction(
    async (transaction) => {
      const [board, timers] = await atOnce([readBoard(transaction, grant), runningTimers(transaction, grant)])
      return consume({ board, timers }, listBoardTasks(transaction, grant))
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )

/** Only these tasks, of those that are there. All is of one version if the board still has the one that it had before. */
export async function readChanged(db: Db, grant: BoardGrant<'read'>, ids: number[]): Promise<Head & { tasks: BoardTask[] }> {
  const [timers, tasks] = await Promise.all([runningTimers(db, grant), boardTasksById(db, grant, ids)])
  return { board: await readBoard(db, grant), timers, tasks }
}

/** Through the members, whose running timers have an index of their own. */
const selectTimers = prepared((db, { boardId }: Given<{ boardId: number }>) => {
  const ofMember = and(eq(timeEntries.userId, boardMembers.userId), sql`${timeEntries.status} = 'ACTIVE'`)
  return db
    .select({
      entryId: timeEntries.id,
      taskId: timeEntries.taskId,
      userId: timeEntries.userId,
      runningSince: timeEntries.runningSince,
      counted: timeEntries.counted,
    })
    .from(boardMembers)
    .innerJoin(timeEntries, and(ofMember, eq(timeEntries.boardId, boardId)))
    .innerJoin(tasks, and(eq(tasks.id, timeEntries.taskId), notDeleted))
    .where(eq(boardMembers.boardId, boardId))
    .orderBy(asc(timeEntries.id))
})

async function runningTimers(db: Db, { board }: BoardGrant<'read'>): Promise<RunningTimer[]> {
  const rows = await selectTimers(db, { boardId: board.id })
  return rows.flatMap(({ runningSince, ...row }) => (runningSince ? [{ ...row, runningSince: runningSince.toISOString() }] : []))
}
