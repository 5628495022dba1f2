import type { Board } from '../../../boards/schema'
import type { BoardGrant } from '../../../boards/server/grants'
import { readBoard } from '../../../boards/server/store'
import type { Db } from '../../../db/database'
import type { BoardTask } from '../../schema'
import { listBoardTasks } from '../list/store'

/** Calls `consume` with a board and batches of its tasks, all of one version. Throws NOT_FOUND if the board is gone. */
export const readSnapshot = <T>(
  db: Db,
  grant: BoardGrant<'read'>,
  consume: (board: Board, tasks: AsyncIterable<BoardTask[]>) => Promise<T>,
): Promise<T> =>
  db.transaction(async (transaction) => consume(await readBoard(transaction, grant), listBoardTasks(transaction, grant)), {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  })
