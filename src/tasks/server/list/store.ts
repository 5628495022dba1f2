import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { BoardGrant } from '../../../boards/server/grants'
import type { Db } from '../../../db/client'
import { tasks } from '../../../db/schema'
import { type BoardTask, DESCRIPTION_SHOWN, type Task } from '../../schema'
import { notDeleted, type TaskRow, taskColumns, taskOrder, toTask } from '../lookup'

/** In the order of the columns, in batches, for nobody should have to wait for a large board to be read. */
export async function* listTasks(db: Db, { board }: BoardGrant<'read'>): AsyncGenerator<Task[]> {
  for await (const rows of inBatches(db, board.id, sql<string | null>`tasks.description`)) yield rows.map(toTask)
}

/** As above, with the beginnings of the descriptions: the rest of them is not even read. */
export async function* listBoardTasks(db: Db, { board }: BoardGrant<'read'>): AsyncGenerator<BoardTask[]> {
  const beginning = sql<string | null>`left(tasks.description, ${DESCRIPTION_SHOWN + 1})`
  for await (const rows of inBatches(db, board.id, beginning)) yield rows.map(toTask).map(asShown)
}

/** JavaScript counts some characters twice, so that what Postgres cut may still be too long; none is cut in halves. */
function asShown(task: Task): BoardTask {
  if (task.description === null || task.description.length <= DESCRIPTION_SHOWN) return task
  return { ...task, description: task.description.slice(0, DESCRIPTION_SHOWN).replace(/[\uD800-\uDBFF]$/, ''), cut: true }
}

/** What is read at once: so many tasks, and no further one where their descriptions have so many bytes. */
const BATCH = { tasks: 500, bytes: 2 ** 19 }

/** The ids are read first: what moves while the batches are read is there all the same, and once. */
async function* inBatches(db: Db, boardId: number, description: SQL<string | null>): AsyncGenerator<TaskRow[]> {
  const bytes = sql<number>`coalesce(octet_length(${tasks.description}), 0)`
  const found = await db
    .select({ id: tasks.id, bytes })
    .from(tasks)
    .where(and(eq(tasks.boardId, boardId), notDeleted))
    .orderBy(...taskOrder)
  for (let from = 0, to = 0; from < found.length; from = to) {
    for (let held = 0; to < found.length && to - from < BATCH.tasks && held < BATCH.bytes; to++) held += found[to]?.bytes ?? 0
    const ids = found.slice(from, to).map(({ id }) => id)
    yield await db
      .select({ ...taskColumns, description })
      .from(tasks)
      .where(and(sql`${tasks.id} = any(${sql.param(ids)}::int[])`, notDeleted))
      .orderBy(...taskOrder)
  }
}
