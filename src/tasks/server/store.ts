import { setImmediate } from 'node:timers/promises'
import { and, asc, eq, inArray, isNotNull, isNull, lte, not, type SQL, sql } from 'drizzle-orm'
import { generateNKeysBetween } from 'fractional-indexing'
import type { BoardGrant } from '../../boards/server/grants'
import type { Db } from '../../db/database'
import { boardMembers, taskAssignees, tasks, users } from '../../db/tables'
import { badRequest, conflict } from '../../server/errors'
import type { Granted } from '../../server/signedIn'
import { summaryOf, type UserSummary } from '../../users/schema'
import {
  BOARD_QUOTA,
  DESCRIPTION_PREVIEW,
  EMPTY_TASK,
  type NewTask,
  newFields,
  STATUSES,
  type Task,
  type TaskChanges,
  TOO_MANY_TASKS,
  TOO_MUCH_TEXT,
  taskFields,
} from '../schema'
import type { RestoreGrant, TaskGrant } from './grants'
import { checklistCounts, deletedJustNow, findTask, isRestorable, storedChecklist, storedColumns, toTask } from './lookup'
import { endOfColumn, freePosition, isTooLong, newPosition, rebalance } from './order.store'

/** Throws CONFLICT if the board's quota is reached, BAD_REQUEST if an assignee is not a member. */
export async function createTask(db: Db, grant: BoardGrant<'change'>, given: NewTask): Promise<Task> {
  const { board, viewer } = grant
  await assertDescriptionQuota(db, board.id, given.description)
  await assertTaskQuota(db, board)
  const position = await endOfColumn(db, { boardId: board.id, status: given.status })
  const doneAt = given.status === 'done' ? new Date() : null
  const own = { boardId: board.id, createdBy: viewer.id, position, doneAt, ...checklistCounts(given.description ?? null) }
  const [stored] = await db
    .insert(tasks)
    .values({ ...newFields(given), ...own })
    .returning(storedColumns)
  if (!stored) throw new Error('the new task was not returned')
  const assignees = await addFirstAssignees(db, grant, stored.id, given.assigneeIds)
  return toTask({ ...stored, ...EMPTY_TASK, assignees })
}

/** Null if nothing changes; `written` shares a round trip. Throws CONFLICT if the board's quota is reached. */
export async function updateTask(
  db: Db,
  grant: TaskGrant<'change'>,
  changes: TaskChanges,
): Promise<{ task: Task; written: Promise<unknown> } | null> {
  const { task } = grant
  const updates = onlyChanged(task, { ...changes, ...(await newPosition(db, task, changes)) })
  if (Object.keys(updates).length === 0) return null
  await assertDescriptionQuota(db, task.boardId, updates.description, task.description)
  const now = new Date()
  const updatedAt = now.toISOString()
  const revision = task.revision + 1
  const doneAt = updates.status === 'done' ? now : null
  const done = updates.status && { doneAt: doneAt && updatedAt }
  const { description } = updates
  const counts = description === undefined ? undefined : checklistCounts(description)
  const stored = { ...updates, ...counts, ...(updates.status && { doneAt }), updatedAt: now, revision }
  const written = db.update(tasks).set(stored).where(eq(tasks.id, task.id)).execute()
  const checklist = counts ? storedChecklist({ ...counts, description: null }) : task.checklist
  const updated = { ...task, ...updates, ...done, updatedAt, revision, checklist }
  if (!isTooLong(updated.position)) return { task: updated, written }
  await written
  return { task: { ...updated, position: await rebalance(db, grant, updated) }, written }
}

const CHANGEABLE = [...taskFields, 'position'] as const
type Updates = Partial<Pick<Task, (typeof CHANGEABLE)[number]>>

/** For changes of its comments and files; keeps its revision. */
export async function touchTask(db: Db, { task }: Granted<{ task: Pick<Task, 'id'> }, 'board:change'>): Promise<string> {
  const updatedAt = new Date()
  await db.update(tasks).set({ updatedAt }).where(eq(tasks.id, task.id))
  return updatedAt.toISOString()
}

const onlyChanged = (task: Task, given: Updates): Updates =>
  Object.fromEntries(
    CHANGEABLE.filter((field) => given[field] !== undefined && !Bun.deepEquals(given[field], task[field])).map((field) => [
      field,
      given[field],
    ]),
  )

export async function deleteTask(db: Db, { task, viewer }: TaskGrant<'delete'>): Promise<void> {
  await db.update(tasks).set({ deletedAt: sql`now()`, deletedBy: viewer.id }).where(eq(tasks.id, task.id))
}

export async function restoreTask(db: Db, { board, deleted }: RestoreGrant): Promise<Task> {
  await assertDescriptionQuota(db, board.id, deleted.description)
  await assertTaskQuota(db, board)
  const position = await freePosition(db, deleted, deleted.position)
  await db.update(tasks).set({ position, deletedAt: null, deletedBy: null }).where(eq(tasks.id, deleted.id))
  const task = await findTask(db, deleted.id)
  if (!task) throw new Error(`task ${deleted.id} was not restored`)
  return task
}

const PURGED_AT_ONCE = 100

/** Oldest first, a few at a time: the embedded database answers nobody while a statement runs. Returns whether there were any. */
async function purge(db: Db, where: SQL | undefined, most = Number.POSITIVE_INFINITY): Promise<boolean> {
  let purged = 0
  for (let isMore = true; isMore && purged < most; ) {
    const some = db.select({ id: tasks.id }).from(tasks).where(where).orderBy(asc(tasks.deletedAt)).limit(PURGED_AT_ONCE)
    // Again: one of them may just have been restored.
    const gone = await db
      .delete(tasks)
      .where(and(inArray(tasks.id, some), where))
      .returning({ id: tasks.id })
    purged += gone.length
    await setImmediate()
    isMore = gone.length === PURGED_AT_ONCE
  }
  return purged > 0
}

export const purgeDeletedTasks = (db: Db) => purge(db, and(isNotNull(tasks.deletedAt), not(isRestorable)))

const PURGED_FOR_ROOM = 1_000

/** When the disk is full: purges some early at each call, first those without hours, but none that the page still offers to restore. */
export async function purgeTasksForRoom(db: Db): Promise<void> {
  const isDeleted = and(isNotNull(tasks.deletedAt), not(deletedJustNow(tasks.deletedAt)))
  const hasHours = sql`exists (select 1 from time_entries where time_entries.task_id = ${tasks.id} and duration_minutes > 0)`
  const isPurged = await purge(db, and(isDeleted, not(hasHours)), PURGED_FOR_ROOM)
  if (!isPurged) await purge(db, isDeleted, PURGED_FOR_ROOM)
}

/** Others may still need their hours. */
const hasHoursOfOthers = (userId: number) => sql`exists (
  select 1 from time_entries join users worker on worker.id = time_entries.user_id and worker.imported_on is null
  where time_entries.task_id = ${tasks.id} and time_entries.user_id <> ${userId} and time_entries.duration_minutes > 0)`

/** On its own boards, the work of people without an account or membership counts for the account. */
const countsFor = (userId: number) => sql`(${tasks.createdBy} = ${userId} or exists (
  select 1 from boards where boards.id = ${tasks.boardId} and boards.created_by = ${userId} and (
    exists (select 1 from users author where author.id = ${tasks.createdBy} and author.imported_on = boards.id)
    or exists (select 1 from left_boards gone where gone.board_id = boards.id and gone.user_id = ${tasks.createdBy} and gone.removed))))`

/** Purges those that count for the account and were deleted at least `days` ago. Returns whether there were any. */
export function purgeTasksEarly(db: Db, userId: number, days: number): Promise<boolean> {
  const isOld = lte(tasks.deletedAt, sql`now() - ${days} * interval '1 day'`)
  return purge(db, and(countsFor(userId), isOld, not(hasHoursOfOthers(userId))))
}

const COUNTED_AT_ONCE = 500

/** For descriptions from before counting. */
export async function countOldChecklists(db: Db): Promise<void> {
  const isOld = isNull(tasks.checklistAll)
  const old = await db.select({ id: tasks.id, description: tasks.description }).from(tasks).where(isOld).limit(COUNTED_AT_ONCE)
  for (const { id, description } of old) {
    const isSame = sql`${tasks.description} is not distinct from ${description}`
    await db
      .update(tasks)
      .set(checklistCounts(description))
      .where(and(eq(tasks.id, id), isOld, isSame))
    await setImmediate()
  }
  if (old.length === COUNTED_AT_ONCE) await countOldChecklists(db)
}

/** For a new task. Throws BAD_REQUEST if one of them is not a member. */
async function addFirstAssignees(db: Db, { board }: BoardGrant<'change'>, taskId: number, userIds: number[]) {
  if (userIds.length === 0) return []
  const members = await db
    .select(summaryOf(users))
    .from(boardMembers)
    .innerJoin(users, eq(users.id, boardMembers.userId))
    .where(and(eq(boardMembers.boardId, board.id), inArray(boardMembers.userId, userIds)))
  const found = new Map<number, UserSummary>(members.map((member) => [member.id, member]))
  const assignees = userIds.flatMap((userId) => found.get(userId) ?? [])
  if (assignees.length < userIds.length) throw notAMember()
  await db.insert(taskAssignees).values(assignees.map(({ id }) => ({ taskId, boardId: board.id, userId: id })))
  return assignees
}

const notAMember = () => badRequest('Only members of the board can be assigned.')

/** `added` is null if they were assigned already. Throws BAD_REQUEST if they are not a member. */
export async function addAssignee(db: Db, grant: TaskGrant<'change'>, userId: number) {
  const { board, task } = grant
  const [member] = await db
    .select(summaryOf(users))
    .from(boardMembers)
    .innerJoin(users, eq(users.id, boardMembers.userId))
    .where(and(eq(boardMembers.boardId, board.id), eq(boardMembers.userId, userId)))
  if (!member) throw notAMember()
  const rows = await db
    .insert(taskAssignees)
    .values({ taskId: task.id, boardId: board.id, userId })
    .onConflictDoNothing()
    .returning()
  if (rows.length === 0) return { task, added: null }
  return { task: { ...task, assignees: [...task.assignees, member] }, added: member }
}

export async function removeAssignee(db: Db, { task }: TaskGrant<'change'>, userId: number): Promise<boolean> {
  const rows = await db
    .delete(taskAssignees)
    .where(and(eq(taskAssignees.taskId, task.id), eq(taskAssignees.userId, userId)))
    .returning()
  return rows.length > 0
}

/** Needs the board's lock. A board has at least one version a task, so that few versions need no count. Throws CONFLICT. */
async function assertTaskQuota(db: Db, { id, version }: { id: number; version: number }) {
  if (version < BOARD_QUOTA.tasks) return
  const count = await db.$count(tasks, and(eq(tasks.boardId, id), isNull(tasks.deletedAt)))
  if (count >= BOARD_QUOTA.tasks) throw conflict(TOO_MANY_TASKS)
}

const bytesOf = (text: string | null | undefined) => Buffer.byteLength(text ?? '')

/** Needs the board's lock. Ignores short descriptions, which the number of tasks bounds. Throws CONFLICT. */
async function assertDescriptionQuota(db: Db, boardId: number, text: string | null | undefined, before: string | null = null) {
  const more = bytesOf(text) - bytesOf(before)
  if (!text || text.length <= DESCRIPTION_PREVIEW || more <= 0) return
  const [used] = await db
    .select({ bytes: sql<number>`coalesce(sum(octet_length(${tasks.description})), 0)::float8` })
    .from(tasks)
    .where(and(eq(tasks.boardId, boardId), isNull(tasks.deletedAt)))
  if ((used?.bytes ?? 0) + more > BOARD_QUOTA.descriptionBytes) throw conflict(TOO_MUCH_TEXT)
}

/** For a new board, in this order. */
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
      title,
      status,
      doneAt,
      position: positions[nth] ?? '',
      boardId: board.id,
      createdBy: viewer.id,
      checklistDone: 0,
      checklistAll: 0,
    }))
  })
  return db.insert(tasks).values(rows).returning({ id: tasks.id, title: tasks.title })
}
