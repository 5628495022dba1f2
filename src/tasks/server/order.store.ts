import { and, asc, desc, eq, gte, lte, ne, sql } from 'drizzle-orm'
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'
import { bumpVersion } from '../../boards/server/store'
import type { Db } from '../../db/database'
import { tasks } from '../../db/tables'
import type { Status, Task, TaskChanges } from '../schema'
import type { TaskGrant } from './grants'
import { notDeleted } from './lookup'

const LONG_POSITION = 100

type Column = { boardId: number; status: Status }

const inColumn = ({ boardId, status }: Column) => and(eq(tasks.boardId, boardId), eq(tasks.status, status), notDeleted)

/** Beside the neighbour, or at the end of another column; empty if the task does not move. */
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
const among = (given: Others) => and(inColumn(given), ne(tasks.id, given.except))

async function positionBeside(db: Db, given: Others & { anchorId: number }, before: boolean) {
  const select = () => db.select({ position: tasks.position }).from(tasks)
  const anchorPosition = select().where(and(among(given), eq(tasks.id, given.anchorId)))
  const isBeyond = before ? lte : gte
  const [anchor, next] = await select()
    .where(and(among(given), isBeyond(tasks.position, anchorPosition)))
    .orderBy(before ? desc(tasks.position) : asc(tasks.position))
    .limit(2)
  if (!anchor) return undefined
  const neighbour = next?.position ?? null
  return before ? generateKeyBetween(neighbour, anchor.position) : generateKeyBetween(anchor.position, neighbour)
}

export async function endOfColumn(db: Db, column: Column & { except?: number }) {
  const others = among({ except: 0, ...column })
  const [row] = await db.select({ last: tasks.position }).from(tasks).where(others).orderBy(desc(tasks.position)).limit(1)
  return generateKeyBetween(row?.last ?? null, null)
}

export async function freePosition(db: Db, column: Column, position: string): Promise<string> {
  const [first, second] = await db
    .select({ position: tasks.position })
    .from(tasks)
    .where(and(inColumn(column), gte(tasks.position, position)))
    .orderBy(asc(tasks.position))
    .limit(2)
  return first?.position === position ? generateKeyBetween(position, second?.position ?? null) : position
}

/** Splitting the same gap makes positions grow. */
export const isTooLong = (position: string) => position.length > LONG_POSITION

export async function rebalance(db: Db, grant: TaskGrant<'change'>, task: Task): Promise<string> {
  // Deleted tasks too: they may be restored to their position.
  const column = and(eq(tasks.boardId, task.boardId), eq(tasks.status, task.status))
  const rows = await db.select({ id: tasks.id, position: tasks.position }).from(tasks).where(column).orderBy(asc(tasks.position))
  // After the last one, so that no new position collides with an old one.
  const positions = generateNKeysBetween(rows.at(-1)?.position ?? null, null, rows.length)
  const ids = rows.map((row) => row.id)
  await db.execute(sql`
    update tasks set position = fresh.position
    from unnest(${sql.param(ids)}::int[], ${sql.param(positions)}::text[]) as fresh (id, position)
    where tasks.id = fresh.id`)
  // This version is never announced: pages notice the gap and read the board again.
  await bumpVersion(db, grant)
  return positions[ids.indexOf(task.id)] ?? task.position
}
