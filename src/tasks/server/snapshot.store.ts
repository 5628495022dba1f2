import { and, eq, sql } from 'drizzle-orm'
import type { Board } from '../../boards/schema'
import type { BoardGrant } from '../../boards/server/grants'
import { notDeleted as boardNotDeleted } from '../../boards/server/lookup'
import { readBoard } from '../../boards/server/store'
import type { Db } from '../../db/database'
import { boards, tasks } from '../../db/schema'
import { notFound } from '../../server/errors'
import type { BoardTask, RunningTimer } from '../schema'
import { boardTaskColumns, listBoardTasks, toBoardTask } from './list.store'
import { notDeleted, type Place } from './lookup'

/** A task as JSON, and its place. */
export type Line = Place & { id: number; json: string }
/** `lines` are in the order of the board. */
export type BoardRead = { board: Board; timers: RunningTimer[]; lines: Line[] }

export const toLine = (task: BoardTask): Line => ({
  id: task.id,
  status: task.status,
  position: task.position,
  json: JSON.stringify(task),
})

/** Consistent. Throws NOT_FOUND if the board is gone. */
export async function readBoardWhole(db: Db, grant: BoardGrant<'read'>): Promise<BoardRead> {
  async function read(on: Db): Promise<BoardRead> {
    // In this order: what is read before the version may be older.
    const board = await readBoard(on, grant)
    const timers = await runningTimers(on, grant)
    const lines: Line[] = []
    for await (const tasks of listBoardTasks(on, grant)) lines.push(...tasks.map(toLine))
    return { board, timers, lines }
  }
  // A transaction blocks the embedded database, so only if the board has changed meanwhile.
  const found = await read(db)
  const { version } = await readBoard(db, grant)
  if (found.board.version === version) return found
  return db.transaction(read, { isolationLevel: 'repeatable read', accessMode: 'read only' })
}

/** The existing ones of these tasks, unordered, with their timers, in one statement. Throws NOT_FOUND. */
export async function readChanged(db: Db, { board }: BoardGrant<'read'>, ids: number[]) {
  const rows = await db
    .select({ version: boards.version, timers: timers(sql`entry.task_id = ${tasks.id}`), task: boardTaskColumns })
    .from(boards)
    .leftJoin(tasks, and(sql`${tasks.id} = any(${sql.param(ids)}::int[])`, notDeleted))
    .where(and(eq(boards.id, board.id), boardNotDeleted))
  const [first] = rows
  if (!first) throw notFound('Board not found')
  return {
    version: first.version,
    timers: rows.flatMap(({ timers }) => timers.map(toTimer)),
    tasks: rows.flatMap(({ task }) => (task?.boardId === board.id ? toBoardTask(task) : [])),
  }
}

/** Through the members, whose running timers have an index. */
const timers = (isSought = sql`true`) => sql<RunningTimer[]>`(
  select coalesce(json_agg(json_build_object('entryId', entry.id, 'taskId', entry.task_id, 'userId', entry.user_id,
    'runningSince', entry.running_since, 'counted', entry.counted) order by entry.id), '[]')
  from board_members member
  join time_entries entry on entry.user_id = member.user_id and entry.status = 'ACTIVE' and entry.board_id = member.board_id
  join tasks timed on timed.id = entry.task_id and timed.deleted_at is null
  where member.board_id = boards.id and entry.running_since is not null and ${isSought})`

async function runningTimers(db: Db, { board }: BoardGrant<'read'>): Promise<RunningTimer[]> {
  const [row] = await db.select({ timers: timers() }).from(boards).where(eq(boards.id, board.id))
  return row?.timers.map(toTimer) ?? []
}

const toTimer = (timer: RunningTimer): RunningTimer => ({
  ...timer,
  runningSince: new Date(timer.runningSince).toISOString(),
})
