import { and, asc, desc, eq, getTableColumns, gte, isNotNull, isNull, lte, max, ne, not, type SQL, sql } from 'drizzle-orm'
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'
import { raiseVersion } from '../../boards/server/store'
import type { Db } from '../../db/client'
import { tasks } from '../../db/schema'
import { conflict } from '../../server/errors'
import type { BoardGrant, RestoreGrant, TaskGrant } from '../../server/grants'
import type { UserSummary } from '../../users/schema'
import { summaryJson } from '../../users/server/store'
import {
  BOARD_HOLDS,
  type BoardTask,
  DESCRIPTION_SHOWN,
  type NewTask,
  RESTORABLE_SECONDS,
  SETTABLE,
  type Status,
  type Task,
  type TaskChanges,
  TOO_MANY_TASKS,
} from '../schema'
import { assertRoomForText } from './quota/store'

/** What a task is read with, in one row. Tables are named in full: here Drizzle names columns without them. */
const { deletedAt: _, deletedBy: __, ...storedColumns } = getTableColumns(tasks)
const taskColumns = {
  ...storedColumns,
  assignees: sql<UserSummary[]>`(
    select coalesce(json_agg(${summaryJson} order by task_assignees.id), '[]')
    from task_assignees join users on users.id = task_assignees.user_id where task_assignees.task_id = tasks.id)`,
  commentCount: sql<number>`(select count(*)::int from comments where comments.task_id = tasks.id)`,
  // As in time/store.ts; a number beyond 32 bits would come as text.
  minutes: sql<number>`(
    select coalesce(sum(duration_minutes), 0)::float8 from time_entries
    where time_entries.task_id = tasks.id and time_entries.status <> 'ACTIVE')`,
}

/** The columns' order is todo, inprogress, done, which happens to be the alphabet's, backwards. */
const taskOrder = [desc(tasks.status), asc(tasks.position)]

/** What was deleted is there for nobody but who brings it back. */
const stands = isNull(tasks.deletedAt)

type Row = Omit<typeof tasks.$inferSelect, 'deletedAt' | 'deletedBy'> & {
  assignees: UserSummary[]
  commentCount: number
  minutes: number
}

const toTask = (row: Row): Task => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt?.toISOString() ?? null,
})

export async function boardOfTask(db: Db, taskId: number): Promise<number | undefined> {
  const [row] = await db
    .select({ boardId: tasks.boardId })
    .from(tasks)
    .where(and(eq(tasks.id, taskId), stands))
  return row?.boardId
}

/** A task by its id, whoever asks: for grants. */
export async function findTask(db: Db, taskId: number): Promise<Task | undefined> {
  const [row] = await db
    .select(taskColumns)
    .from(tasks)
    .where(and(eq(tasks.id, taskId), stands))
  return row && toTask(row)
}

/** In the order of the columns, in slices, for nobody should have to wait for a large board to be read. */
export async function* listTasks(db: Db, { board }: BoardGrant<'read'>): AsyncGenerator<Task[]> {
  for await (const rows of inSlices(db, board.id, sql<string | null>`tasks.description`)) yield rows.map(toTask)
}

/** As above, with the beginnings of the descriptions: the rest of them is not even read. */
export async function* listBoardTasks(db: Db, { board }: BoardGrant<'read'>): AsyncGenerator<BoardTask[]> {
  const beginning = sql<string | null>`left(tasks.description, ${DESCRIPTION_SHOWN + 1})`
  for await (const rows of inSlices(db, board.id, beginning)) yield rows.map(toTask).map(asShown)
}

/** JavaScript counts some characters twice, so that what Postgres cut may still be too long; none is cut in halves. */
function asShown(task: Task): BoardTask {
  if (task.description === null || task.description.length <= DESCRIPTION_SHOWN) return task
  return { ...task, description: task.description.slice(0, DESCRIPTION_SHOWN).replace(/[\uD800-\uDBFF]$/, ''), cut: true }
}

/** What is read at once: so many tasks, and no further one where their descriptions have so many bytes. */
const SLICE = { tasks: 500, bytes: 2 ** 19 }

/** The ids are read first: what moves while the slices are read is there all the same, and once. */
async function* inSlices(db: Db, boardId: number, description: SQL<string | null>): AsyncGenerator<Row[]> {
  const bytes = sql<number>`coalesce(octet_length(${tasks.description}), 0)`
  const found = await db
    .select({ id: tasks.id, bytes })
    .from(tasks)
    .where(and(eq(tasks.boardId, boardId), stands))
    .orderBy(...taskOrder)
  for (let from = 0, to = 0; from < found.length; from = to) {
    for (let held = 0; to < found.length && to - from < SLICE.tasks && held < SLICE.bytes; to++) held += found[to]?.bytes ?? 0
    const ids = found.slice(from, to).map(({ id }) => id)
    yield await db
      .select({ ...taskColumns, description })
      .from(tasks)
      .where(and(sql`${tasks.id} = any(${sql.param(ids)}::int[])`, stands))
      .orderBy(...taskOrder)
  }
}

/** Creates a task at the end of its column. Throws CONFLICT where the board is full. */
export async function createTask(db: Db, { board, viewer }: BoardGrant<'change'>, given: NewTask): Promise<Task> {
  await assertRoomForText(db, board.id, given.description)
  const position = await endOfColumn(db, inColumn(board.id, given.status))
  const others = sql<number>`(select count(*)::int from tasks where board_id = ${board.id} and deleted_at is null)`
  const [stored] = await db
    .insert(tasks)
    .values({ ...given, position, boardId: board.id, createdBy: viewer.id })
    .returning({ ...storedColumns, others })
  if (!stored) throw new Error('the new task was not returned')
  const { others: count, ...row } = stored
  if (count >= BOARD_HOLDS.tasks) throw conflict(TOO_MANY_TASKS)
  return toTask({ ...row, assignees: [], commentCount: 0, minutes: 0 })
}

/** Changes the fields given and, where the place changes, the order; null where all is as it was. Throws CONFLICT as above. */
export async function updateTask(db: Db, grant: TaskGrant<'change'>, changes: TaskChanges): Promise<Task | null> {
  const { task } = grant
  const updates = onlyChanged(task, { ...changes, ...(await newPlace(db, task, changes)) })
  if (Object.keys(updates).length === 0) return null
  await assertRoomForText(db, task.boardId, updates.description, task.description)
  const updatedAt = new Date()
  await db
    .update(tasks)
    .set({ ...updates, updatedAt })
    .where(eq(tasks.id, task.id))
  const updated = { ...task, ...updates, updatedAt: updatedAt.toISOString() }
  return updated.position.length > LONG_POSITION ? evenOut(db, updated) : updated
}

const CHANGEABLE = [...SETTABLE, 'position'] as const
type Updates = Partial<Pick<Task, (typeof CHANGEABLE)[number]>>

const onlyChanged = (task: Task, given: Updates): Updates =>
  Object.fromEntries(
    CHANGEABLE.filter((field) => given[field] !== undefined && !Bun.deepEquals(given[field], task[field])).map((field) => [
      field,
      given[field],
    ]),
  )

const inColumn = (boardId: number, status: Status) => and(eq(tasks.boardId, boardId), eq(tasks.status, status), stands)

async function newPlace(db: Db, task: Task, { status = task.status, before, after }: TaskChanges): Promise<Updates> {
  const anchorId = [before, after].find((id) => id !== undefined && id !== task.id)
  if (anchorId === undefined && status === task.status) return {}
  const others = and(inColumn(task.boardId, status), ne(tasks.id, task.id))
  const beside = anchorId === undefined ? undefined : await placeBeside(db, others, anchorId, before !== undefined)
  // A neighbour that has left the column meanwhile is no reason to refuse the move.
  return { position: beside ?? (await endOfColumn(db, others)) }
}

/** The place right before or after the anchor; undefined where that is not among the others. */
async function placeBeside(db: Db, others: SQL | undefined, anchorId: number, before: boolean) {
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

async function endOfColumn(db: Db, column: SQL | undefined) {
  const [row] = await db
    .select({ last: max(tasks.position) })
    .from(tasks)
    .where(column)
  return generateKeyBetween(row?.last ?? null, null)
}

const LONG_POSITION = 100

/**
 * Gives every task of the column a short position, in the same order. No message says so: the version takes an
 * extra step, and a page that sees the gap reads the board again.
 */
async function evenOut(db: Db, task: Task): Promise<Task> {
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
  await raiseVersion(db, task.boardId)
  return { ...task, position: positions[ids.indexOf(task.id)] ?? task.position }
}

/** Deletes a task for everyone; for RESTORABLE_SECONDS whoever did it can bring it back (contract.md, section 4). */
export async function deleteTask(db: Db, { task, viewer }: TaskGrant<'delete'>): Promise<void> {
  await db.update(tasks).set({ deletedAt: sql`now()`, deletedBy: viewer.id }).where(eq(tasks.id, task.id))
}

/** A click at the last moment is still on its way then. */
const GRACE_SECONDS = 1
const isRestorable = sql`${tasks.deletedAt} > now() - ${RESTORABLE_SECONDS + GRACE_SECONDS} * interval '1 second'`

/** The board of a task that someone deleted just now, which is held until the transaction ends; undefined where there is none. */
export async function boardOfDeleted(db: Db, userId: number, taskId: number): Promise<number | undefined> {
  const [row] = await db
    .select({ boardId: tasks.boardId })
    .from(tasks)
    .where(and(eq(tasks.id, taskId), eq(tasks.deletedBy, userId), isRestorable))
    .for('update')
  return row?.boardId
}

/** Brings a task back to its place, or, where another has that now, to right behind it. */
export async function restoreTask(db: Db, { board, taskId }: RestoreGrant): Promise<Task> {
  const [deleted] = await db.select().from(tasks).where(eq(tasks.id, taskId))
  if (!deleted) throw new Error(`task ${taskId} went away while its board was locked`)
  const [own, next] = await db
    .select({ position: tasks.position })
    .from(tasks)
    .where(and(inColumn(board.id, deleted.status), gte(tasks.position, deleted.position)))
    .orderBy(asc(tasks.position))
    .limit(2)
  const isTaken = own?.position === deleted.position
  const position = isTaken ? generateKeyBetween(own.position, next?.position ?? null) : deleted.position
  await db.update(tasks).set({ position, deletedAt: null, deletedBy: null }).where(eq(tasks.id, taskId))
  const task = await findTask(db, taskId)
  if (!task) throw new Error(`task ${taskId} did not come back`)
  return task
}

/** Lets go of what can no longer be brought back, with all that belongs to it. */
export const purgeDeleted = (db: Db) => db.delete(tasks).where(and(isNotNull(tasks.deletedAt), not(isRestorable)))
