import { generateNKeysBetween } from 'fractional-indexing'
import type { BoardGrant } from '../../boards/server/grants'
import type { Db } from '../../db/database'
import { tasks } from '../../db/schema'
import { STATUSES, type Task } from '../schema'

/** In one statement, in this order, on a board without tasks. */
export async function createFirstTasks(
  db: Db,
  { board, viewer }: BoardGrant<'change'>,
  given: Pick<Task, 'title' | 'status'>[],
): Promise<Pick<Task, 'id' | 'title'>[]> {
  const rows = STATUSES.flatMap((status) => {
    const column = given.filter((task) => task.status === status)
    const positions = generateNKeysBetween(null, null, column.length)
    const doneAt = status === 'done' ? new Date() : null
    return column.map(({ title }, nth) => ({
      ...{ title, status, doneAt, position: positions[nth] ?? '' },
      ...{ boardId: board.id, createdBy: viewer.id, checklistDone: 0, checklistAll: 0 },
    }))
  })
  return db.insert(tasks).values(rows).returning({ id: tasks.id, title: tasks.title })
}
