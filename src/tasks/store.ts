import { and, asc, desc, eq, getTableColumns, gte, lte, max, ne, type SQL, sql } from 'drizzle-orm'
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'
import { raiseVersion } from '../boards/store'
import type { Db } from '../db/client'
import { boardMembers, taskAssignees, tasks } from '../db/schema'
import type { BoardGrant, TaskGrant } from '../server/grants'
import type { UserSummary } from '../users/inputs'
import { summaryColumns, summaryJson } from '../users/store'
import { type NewTask, SETTABLE, type Status, type Task, type TaskChanges } from './inputs'

/** What a task is read with, in one row. Tables are named in full: here Drizzle names columns without them. */
const taskColumns = {
  ...getTableColumns(tasks),
  assignees: sql<UserSummary[]>`(
    select coalesce(json_agg(${summaryJson} order by task_assignees.id), '[]')
    from task_assignees join users on users.id = task_assignees.user_id where task_assignees.task_id = tasks.id)`,
  commentCount: sql<number>`(select count(*)::int from comments where comments.task_id = tasks.id)`,
}

/** The columns' order is todo, inprogress, done, which happens to be the alphabet's, backwards. */
const taskOrder = [desc(tasks.status), asc(tasks.position)]

type Row = typeof tasks.$inferSelect & { assignees: UserSummary[]; commentCount: number }

const toTask = (row: Row): Task => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt?.toISOString() ?? null,
})

export async function boardOfTask(db: Db, taskId: number): Promise<number | undefined> {
  const [row] = await db.select({ boardId: tasks.boardId }).from(tasks).where(eq(tasks.id, taskId))
  return row?.boardId
}

/** A task by its id, whoever asks: for grants. */
export async function findTask(db: Db, taskId: number): Promise<Task | undefined> {
  const [row] = await db.select(taskColumns).from(tasks).where(eq(tasks.id, taskId))
  return row && toTask(row)
}

/** In the order of the columns. */
export async function listTasks(db: Db, { board }: BoardGrant<'read'>): Promise<Task[]> {
  const rows = await db
    .select(taskColumns)
    .from(tasks)
    .where(eq(tasks.boardId, board.id))
    .orderBy(...taskOrder)
  return rows.map(toTask)
}

/** Creates a task at the end of its column. */
export async function createTask(db: Db, { board, viewer }: BoardGrant<'change'>, given: NewTask): Promise<Task> {
  const position = await endOfColumn(db, inColumn(board.id, given.status))
  const [row] = await db
    .insert(tasks)
    .values({ ...given, position, boardId: board.id, createdBy: viewer.id })
    .returning()
  if (!row) throw new Error('the new task was not returned')
  return toTask({ ...row, assignees: [], commentCount: 0 })
}

/** Changes the fields given and, where the place changes, the order; null where all is as it was. */
export async function updateTask(db: Db, grant: TaskGrant<'change'>, changes: TaskChanges): Promise<Task | null> {
  const { task } = grant
  const updates = onlyChanged(task, { ...changes, ...(await newPlace(db, task, changes)) })
  if (Object.keys(updates).length === 0) return null
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

const inColumn = (boardId: number, status: Status) => and(eq(tasks.boardId, boardId), eq(tasks.status, status))

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
  const column = inColumn(task.boardId, task.status)
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

export async function deleteTask(db: Db, { task }: TaskGrant<'delete'>): Promise<void> {
  await db.delete(tasks).where(eq(tasks.id, task.id))
}

/** Assigns a member of the board; `added` is null where they are assigned already. Undefined where they are no member. */
export async function addAssignee(db: Db, grant: TaskGrant<'change'>, userId: number) {
  const { board, task } = grant
  const member = await db.query.boardMembers.findFirst({
    where: and(eq(boardMembers.boardId, board.id), eq(boardMembers.userId, userId)),
    with: { user: { columns: summaryColumns } },
  })
  if (!member) return undefined
  const rows = await db
    .insert(taskAssignees)
    .values({ taskId: task.id, boardId: board.id, userId })
    .onConflictDoNothing()
    .returning()
  if (rows.length === 0) return { task, added: null }
  return { task: { ...task, assignees: [...task.assignees, member.user] }, added: member.user }
}

/** Ends an assignment; false where there was none. */
export async function removeAssignee(db: Db, { task }: TaskGrant<'change'>, userId: number): Promise<boolean> {
  const rows = await db
    .delete(taskAssignees)
    .where(and(eq(taskAssignees.taskId, task.id), eq(taskAssignees.userId, userId)))
    .returning()
  return rows.length > 0
}
