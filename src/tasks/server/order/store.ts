import { and, asc, desc, eq, gte, lte, ne, sql } from 'drizzle-orm'
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'
import { bumpVersion } from '../../../boards/server/store'
import type { Db } from '../../../db/database'
import { type Given, prepared } from '../../../db/prepared'
import { tasks } from '../../../db/schema'
import type { Status, Task, TaskChanges } from '../../schema'
import type { TaskGrant } from '../grants'
import { notDeleted } from '../lookup'

const LONG_POSITION = 100

type Column = { boardId: number; status: Status }

const inColumn = ({ boardId, status }: Given<Column>) => and(eq(tasks.boardId, boardId), eq(tasks.status, status), notDeleted)

/** Beside the given neighbour, or at the end of another column; empty if the task does not move. */
export async function newPosition(
  db: Db,
  task: Task,
  { status = task.status, before, after }: TaskChanges,
): Promise<{ position?: string }> {
  const anchorId = [before, after].find((id) => id !== undefined && id !== task.id)
  if (anchorId === undefined && status === task.status) return {}
  const others = { boardId: task.boardId, status, except: task.id }
  const beside = anchorId === undefined ? undefined : await positionBeside(db, { ...others, anchorId }, before !== undefined)
  return { position: beside ?? (await endOfColumn(db, others)) }
}

type Others = Column & { except: number }
const among = (given: Given<Others>) => and(inColumn(given), ne(tasks.id, given.except))

/** The anchor, and who stands next to it on one side. */
const neighbours = (isBeyond: typeof gte, inOrder: typeof asc) =>
  prepared((db, given: Given<Others & { anchorId: number }>) => {
    const select = () => db.select({ position: tasks.position }).from(tasks)
    const anchorPosition = select().where(and(among(given), eq(tasks.id, given.anchorId)))
    return select()
      .where(and(among(given), isBeyond(tasks.position, anchorPosition)))
      .orderBy(inOrder(tasks.position))
      .limit(2)
  })
const [selectBefore, selectAfter] = [neighbours(lte, desc), neighbours(gte, asc)]

async function positionBeside(db: Db, given: Others & { anchorId: number }, before: boolean) {
  const [anchor, next] = await (before ? selectBefore : selectAfter)(db, given)
  if (!anchor) return undefined
  const neighbour = next?.position ?? null
  return before ? generateKeyBetween(neighbour, anchor.position) : generateKeyBetween(anchor.position, neighbour)
}

const selectLast = prepared((db, given: Given<Others>) =>
  db.select({ last: tasks.position }).from(tasks).where(among(given)).orderBy(desc(tasks.position)).limit(1),
)

export async function endOfColumn(db: Db, column: Column & { except?: number }) {
  const [row] = await selectLast(db, { except: 0, ...column })
  return generateKeyBetween(row?.last ?? null, null)
}

const selectFrom = prepared((db, given: Given<Column & { position: string }>) =>
  db
    .select({ position: tasks.position })
    .from(tasks)
    .where(and(inColumn(given), gte(tasks.position, given.position)))
    .orderBy(asc(tasks.position))
    .limit(2),
)

/** The given position, or, if it is taken, one right after it. */
export async function freePosition(db: Db, column: Column, position: string): Promise<string> {
  const [first, second] = await selectFrom(db, { ...column, position })
  return first?.position === position ? generateKeyBetween(position, second?.position ?? null) : position
}

/** Splitting the same gap makes positions grow. */
export const isTooLong = (position: string) => position.length > LONG_POSITION

/** Shortens the positions of the whole column. Returns the task's. */
export async function rebalance(db: Db, grant: TaskGrant<'change'>, task: Task): Promise<string> {
  // Includes soft-deleted tasks, which may be restored to their position.
  const column = and(eq(tasks.boardId, task.boardId), eq(tasks.status, task.status))
  const rows = await db.select({ id: tasks.id, position: tasks.position }).from(tasks).where(column).orderBy(asc(tasks.position))
  // After the last one, so that no new position collides with one not yet replaced.
  const positions = generateNKeysBetween(rows.at(-1)?.position ?? null, null, rows.length)
  const ids = rows.map((row) => row.id)
  await db.execute(sql`
    update tasks set position = fresh.position
    from unnest(${sql.param(ids)}::int[], ${sql.param(positions)}::text[]) as fresh (id, position)
    where tasks.id = fresh.id`)
  // This version is never announced, so that pages notice the gap and read the board again.
  await bumpVersion(db, grant)
  return positions[ids.indexOf(task.id)] ?? task.position
}
