import type { Board } from '../../../boards/schema'
import type { BoardGrant } from '../../../boards/server/grants'
import { readBoard } from '../../../boards/server/store'
import type { Db } from '../../../db/client'
import type { BoardTask } from '../../schema'
import { listBoardTasks } from '../list/store'

/** Hands over the board with its tasks, in batches, all of one version. Throws NOT_FOUND where the board was deleted after the grant. */
export const readSnapshot = <T>(
  db: Db,
  grant: BoardGrant<'read'>,
  take: (board: Board, tasks: AsyncIterable<BoardTask[]>) => Promise<T>,
): Promise<T> =>
  db.transaction(async (at) => take(await readBoard(at, grant), listBoardTasks(at, grant)), {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  })
