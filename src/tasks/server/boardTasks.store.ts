import { setImmediate } from 'node:timers/promises'
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { maySeeAllDeletedTasks } from '../../access'
import { RESTORABLE_DAYS } from '../../boards/limits'
import type { Board } from '../../boards/schema'
import type { BoardGrant } from '../../boards/server/grants'
import { notDeleted as boardNotDeleted } from '../../boards/server/lookup'
import { readBoard } from '../../boards/server/store'
import type { Db } from '../../db/database'
import { boards, tasks } from '../../db/tables'
import type { ListPage } from '../../schema'
import { notFound } from '../../server/errors'
import type { UserSummary } from '../../users/schema'
import { summaryJson } from '../../users/server/lookup'
import { byPlace } from '../limits'
import { type BoardTask, DESCRIPTION_PREVIEW, type RunningTimer, type Task } from '../schema'
import { isRestorable, notDeleted, type TaskRow, taskColumns, toTask } from './lookup'

/** Checks the grant before each batch: a slow reader may be removed meanwhile. */
export async function* listTasks(
  db: Db,
  { board }: BoardGrant<'read'>,
  grantAgain: () => Promise<BoardGrant<'read'>>,
): AsyncGenerator<Task[]> {
  const whole = sql<string | null>`tasks.description`
  for await (const rows of readInBatches(db, board.id, whole, grantAgain)) yield rows.map(toTask)
}

/** Whole if its boxes are not counted yet. */
const preview = sql<string | null>`
  case when tasks.checklist_all is null and tasks.description like '%[_]%'
    then tasks.description else left(tasks.description, ${sql.raw(String(DESCRIPTION_PREVIEW + 1))}) end`

async function* listBoardTasks(db: Db, { board }: BoardGrant<'read'>): AsyncGenerator<BoardTask[]> {
  for await (const rows of readInBatches(db, board.id, preview)) yield rows.map(toBoardTask)
}

/** The creator sees all, others what they deleted themselves. Last deleted first. */
export async function listDeletedTasks(db: Db, { viewer, board }: BoardGrant<'read'>, { limit, cursor }: ListPage) {
  const { id, title, status, commentCount, fileCount, minutes } = taskColumns
  const deletedAt = sql<Date>`${tasks.deletedAt}`.mapWith(tasks.deletedAt)
  const before =
    cursor && sql`(${tasks.deletedAt}, ${tasks.id}) < (${cursor.moment.toISOString()}::timestamptz, ${cursor.id}::int)`
  const own = maySeeAllDeletedTasks(viewer, board) ? undefined : eq(tasks.deletedBy, viewer.id)
  const rows = await db
    .select({ id, title, status, commentCount, fileCount, minutes, deletedAt, deletedBy: deleter })
    .from(tasks)
    .where(and(eq(tasks.boardId, board.id), isRestorable, own, before))
    .orderBy(desc(tasks.deletedAt), desc(tasks.id))
    .limit(limit + 1)
  return { tasks: rows.slice(0, limit).map(toDeletedTask), more: rows.length > limit }
}

const deleter = sql<UserSummary | null>`(select ${summaryJson} from users where users.id = tasks.deleted_by)`

const DAY_MS = 86_400_000

const toDeletedTask = <Row extends { deletedAt: Date }>({ deletedAt, ...row }: Row) => ({
  ...row,
  deletedAt: deletedAt.toISOString(),
  until: new Date(deletedAt.getTime() + RESTORABLE_DAYS * DAY_MS).toISOString(),
})

const boardTaskColumns = { ...taskColumns, description: preview }

const toBoardTask = (row: TaskRow): BoardTask => cutDescription(toTask(row))

/** Postgres counts characters, JavaScript UTF-16 units: cuts again, never within a surrogate pair. */
function cutDescription(task: Task): BoardTask {
  if (task.description === null || task.description.length <= DESCRIPTION_PREVIEW) return task
  return { ...task, description: task.description.slice(0, DESCRIPTION_PREVIEW).replace(/[\uD800-\uDBFF]$/, ''), cut: true }
}

/** The embedded database blocks while it reads a batch. */
const BATCH = { tasks: 200, bytes: 2 ** 19 }

/** Reads all ids first, so that a task that moves is listed exactly once. */
async function* readInBatches(
  db: Db,
  boardId: number,
  description: SQL<string | null>,
  beforeNext?: () => Promise<unknown>,
): AsyncGenerator<TaskRow[]> {
  const bytes = sql<number>`coalesce(octet_length(${tasks.description}), 0)`
  const all = await db
    .select({ id: tasks.id, status: tasks.status, position: tasks.position, bytes })
    .from(tasks)
    .where(and(eq(tasks.boardId, boardId), notDeleted))
  // Not sorted by the database: the embedded one would block.
  const found = all.toSorted(byPlace)
  for (let from = 0, to = 0; from < found.length; from = to) {
    for (let size = 0; to < found.length && to - from < BATCH.tasks && size < BATCH.bytes; to++) size += found[to]?.bytes ?? 0
    const ids = found.slice(from, to).map(({ id }) => id)
    if (from > 0) {
      await setImmediate()
      await beforeNext?.()
    }
    const rows = await db
      .select({ ...taskColumns, description })
      .from(tasks)
      .where(and(sql`${tasks.id} = any(${sql.param(ids)}::int[])`, notDeleted))
    yield rows.toSorted(byPlace)
  }
}

export type Line = Pick<Task, 'id' | 'status' | 'position'> & { json: string }
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
    // In this order: anything read before the version may be older.
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
