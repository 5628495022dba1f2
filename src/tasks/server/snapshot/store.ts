import { and, asc, eq, sql } from 'drizzle-orm'
import type { Board } from '../../../boards/schema'
import type { BoardGrant } from '../../../boards/server/grants'
import { readBoard } from '../../../boards/server/store'
import type { Db } from '../../../db/database'
import { boardMembers, tasks, timeEntries } from '../../../db/schema'
import type { BoardTask, RunningTimer } from '../../schema'
import { listBoardTasks } from '../list/store'
import { notDeleted } from '../lookup'

type Head = { board: Board; timers: RunningTimer[] }

/** Calls `consume` with a board and batches of its tasks, all of one version. Throws NOT_FOUND if the board is gone. */
export const readSnapshot = <T>(
  db: Db,
  grant: BoardGrant<'read'>,
  consume: (head: Head, tasks: AsyncIterable<BoardTask[]>) => Promise<T>,
): Promise<T> =>
  db.transaction(
    async (transaction) => {
      const head = { board: await readBoard(transaction, grant), timers: await runningTimers(transaction, grant) }
      return consume(head, listBoardTasks(transaction, grant))
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )

/** Through the members, whose running timers have an index of their own. */
async function runningTimers(db: Db, { board }: BoardGrant<'read'>): Promise<RunningTimer[]> {
  const ofMember = and(eq(timeEntries.userId, boardMembers.userId), sql`${timeEntries.status} = 'ACTIVE'`)
  const rows = await db
    .select({
      entryId: timeEntries.id,
      taskId: timeEntries.taskId,
      userId: timeEntries.userId,
      runningSince: timeEntries.runningSince,
      counted: timeEntries.counted,
    })
    .from(boardMembers)
    .innerJoin(timeEntries, and(ofMember, eq(timeEntries.boardId, board.id)))
    .innerJoin(tasks, and(eq(tasks.id, timeEntries.taskId), notDeleted))
    .where(eq(boardMembers.boardId, board.id))
    .orderBy(asc(timeEntries.id))
  return rows.flatMap(({ runningSince, ...row }) => (runningSince ? [{ ...row, runningSince: runningSince.toISOString() }] : []))
}
