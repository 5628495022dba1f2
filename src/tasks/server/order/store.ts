import { and, asc, desc, eq, gte, lte, max, ne, type SQL, sql } from 'drizzle-orm'
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'
import { bumpVersion } from '../../../boards/server/store'
import type { Db } from '../../../db/client'
import { tasks } from '../../../db/schema'
import type { Status, Task, TaskChanges } from '../../schema'
import type { TaskGrant } from '../grants'
import { notDeleted } from '../lookup'

const LONG_POSITION = 100

/** The tasks of a column. */
export const inColumn = (boardId: number, status: Status) => and(eq(tasks.boardId, boardId), eq(tasks.status, status), notDeleted)

/** The position that a change asks for: beside a neighbour, or at the end of another column; nothing where it asks for none. */
export async function newPosition(
  db: Db,
  task: Task,
  { status = task.status, before, after }: TaskChanges,
): Promise<{ position?: string }> {
  const anchorId = [before, after].find((id) => id !== undefined && id !== task.id)
  if (anchorId === undefined && status === task.status) return {}
  const others = and(inColumn(task.boardId, status), ne(tasks.id, task.id))
  const beside = anchorId === undefined ? undefined : await positionBeside(db, others, anchorId, before !== undefined)
  // A neighbour that has left the column meanwhile is no reason to refuse the move.
  return { position: beside ?? (await endOfColumn(db, others)) }
}

/** The position right before or after the anchor; undefined where that is not among the others. */
async function positionBeside(db: Db, others: SQL | undefined, anchorId: number, before: boolean) {
  const anchored = db
    .select({ position: tasks.position })
    .from(tasks)
    .where(and(others, eq(tasks.id, anchorId)))
  const [anchor, next] = await db
    .select({ position: tasks.position })
    .from(tasks)
    .where(and(others, (before ? lte : gte)(tasks.position, anchored)))
    .orderBy((before ? desc : asc)(tasks.position))
    .limit(2)
  if (!anchor) return undefined
  const neighbour = next?.position ?? null
  return before ? generateKeyBetween(neighbour, anchor.position) : generateKeyBetween(anchor.position, neighbour)
}

/** The position after the last task of a column. */
export async function endOfColumn(db: Db, column: SQL | undefined) {
  const [row] = await db
    .select({ last: max(tasks.position) })
    .from(tasks)
    .where(column)
  return generateKeyBetween(row?.last ?? null, null)
}

/** The position given, or, where another task has it, right behind that one. */
export async function freePosition(db: Db, column: SQL | undefined, position: string): Promise<string> {
  const [first, second] = await db
    .select({ position: tasks.position })
    .from(tasks)
    .where(and(column, gte(tasks.position, position)))
    .orderBy(asc(tasks.position))
    .limit(2)
  return first?.position === position ? generateKeyBetween(position, second?.position ?? null) : position
}

/**
 * Splitting the same gap makes positions grow without end. Where a task's has become long, gives every task of the column a
 * short one, in the same order; answers the task's. The extra version that this takes makes pages read the board again.
 */
export async function spreadOut(db: Db, grant: TaskGrant<'change'>, task: Task): Promise<string> {
  if (task.position.length <= LONG_POSITION) return task.position
  // With those that may still be brought back, each to its place.
  const column = and(eq(tasks.boardId, task.boardId), eq(tasks.status, task.status))
  const rows = await db.select({ id: tasks.id, position: tasks.position }).from(tasks).where(column).orderBy(asc(tasks.position))
  // Beyond the last one, so that no new position meets an old one before it is replaced.
  const positions = generateNKeysBetween(rows.at(-1)?.position ?? null, null, rows.length)
  const ids = rows.map((row) => row.id)
  await db.execute(sql`
    update tasks set position = fresh.position
    from unnest(${sql.param(ids)}::int[], ${sql.param(positions)}::text[]) as fresh (id, position)
    where tasks.id = fresh.id`)
  await bumpVersion(db, grant)
  return positions[ids.indexOf(task.id)] ?? task.position
}
