import { and, eq, isNotNull, isNull, not, type SQLWrapper, sql } from 'drizzle-orm'
import type { BoardGrant } from '../../boards/server/grants'
import type { Db } from '../../db/database'
import { type Given, prepared } from '../../db/prepared'
import { tasks } from '../../db/schema'
import { type NewTask, SETTABLE, type Task, type TaskChanges } from '../schema'
import { addFirstAssignees } from './assignees/store'
import { checklistCounts, storedChecklist } from './checklistCounts'
import type { RestoreGrant, TaskGrant } from './grants'
import { findTask, isRestorable, storedColumns, toTask } from './lookup'
import { endOfColumn, freePosition, isTooLong, newPosition, rebalance } from './order/store'
import { assertDescriptionQuota, assertTaskQuota } from './quota/store'

type Inserted = Required<Omit<NewTask, 'assigneeIds'>> & {
  position: string
  boardId: number
  createdBy: number
  doneAt: string | null
  checklistDone: number
  checklistAll: number
}

/** A column of moments takes no placeholder that may be null. */
const moment = (iso: SQLWrapper) => sql`${iso}::timestamptz`

const insertTask = prepared((db, given: Given<Inserted>) => {
  const { title, description, status, dueDate, tags, position, boardId, createdBy, checklistDone, checklistAll } = given
  const doneAt = moment(given.doneAt)
  return db
    .insert(tasks)
    .values({ title, description, status, dueDate, tags, position, boardId, createdBy, checklistDone, checklistAll, doneAt })
    .returning(storedColumns)
})

/** Adds the task at the end of its column. Throws CONFLICT if the board's quota is reached, BAD_REQUEST for strangers. */
export async function createTask(db: Db, grant: BoardGrant<'change'>, given: NewTask): Promise<Task> {
  const { board, viewer } = grant
  await assertDescriptionQuota(db, board.id, given.description)
  await assertTaskQuota(db, board)
  const position = await endOfColumn(db, { boardId: board.id, status: given.status })
  const { description = null, dueDate = null } = given
  const doneAt = given.status === 'done' ? new Date().toISOString() : null
  const own = { boardId: board.id, createdBy: viewer.id, ...checklistCounts(description) }
  const [stored] = await insertTask(db, { ...given, description, dueDate, position, doneAt, ...own })
  if (!stored) throw new Error('the new task was not returned')
  const assignees = await addFirstAssignees(db, grant, stored.id, given.assigneeIds)
  return toTask({ ...stored, assignees, commentCount: 0, fileCount: 0, minutes: 0 })
}

/** Null if nothing changes; `written` has been sent, to share a round trip. Throws CONFLICT if the board's quota is reached. */
export async function updateTask(
  db: Db,
  grant: TaskGrant<'change'>,
  changes: TaskChanges,
): Promise<{ task: Task; written: Promise<unknown> } | null> {
  const { task } = grant
  const updates = onlyChanged(task, { ...changes, ...(await newPosition(db, task, changes)) })
  if (Object.keys(updates).length === 0) return null
  await assertDescriptionQuota(db, task.boardId, updates.description, task.description)
  const updatedAt = new Date().toISOString()
  const revision = task.revision + 1
  const done = updates.status && { doneAt: updates.status === 'done' ? updatedAt : null }
  const { description } = updates
  const counts = description === undefined ? undefined : checklistCounts(description)
  const stored = { ...updates, ...done, ...counts }
  const written = updateOf(Object.keys(stored) as Field[])(db, { ...stored, updatedAt, revision, id: task.id })
  const checklist = counts ? storedChecklist({ ...counts, description: null }) : task.checklist
  const updated = { ...task, ...updates, ...done, updatedAt, revision, checklist }
  if (!isTooLong(updated.position)) return { task: updated, written }
  await written
  return { task: { ...updated, position: await rebalance(db, grant, updated) }, written }
}

const CHANGEABLE = [...SETTABLE, 'position'] as const
type Counts = ReturnType<typeof checklistCounts>
type Field = (typeof CHANGEABLE)[number] | 'doneAt' | keyof Counts
type Updates = Partial<Pick<Task, (typeof CHANGEABLE)[number]>>
type Stamped = Updates & Partial<Counts> & { id: number; updatedAt: string; doneAt?: string | null; revision: number }

const prepareUpdate = (fields: Field[]) =>
  prepared((db, given: Given<Stamped>) => {
    const written = [...fields, 'updatedAt', 'revision'] as const
    const sent = (field: (typeof written)[number]) =>
      field === 'doneAt' || field === 'updatedAt' ? moment(given[field]) : sql`${sql.param(given[field], tasks[field])}`
    const set = Object.fromEntries(written.map((field) => [field, sent(field)]))
    return db.update(tasks).set(set).where(eq(tasks.id, given.id))
  })

const updatesByFields = new Map<string, ReturnType<typeof prepareUpdate>>()

function updateOf(fields: Field[]) {
  const known = updatesByFields.get(fields.join()) ?? prepareUpdate(fields)
  updatesByFields.set(fields.join(), known)
  return known
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

export async function restoreTask(db: Db, { board, taskId }: RestoreGrant): Promise<Task> {
  const [deleted] = await db.select().from(tasks).where(eq(tasks.id, taskId))
  if (!deleted) throw new Error(`task ${taskId} went away while its board was locked`)
  const position = await freePosition(db, { boardId: board.id, status: deleted.status }, deleted.position)
  await db.update(tasks).set({ position, deletedAt: null, deletedBy: null }).where(eq(tasks.id, taskId))
  const task = await findTask(db, taskId)
  if (!task) throw new Error(`task ${taskId} did not come back`)
  return task
}

export const purgeDeletedTasks = (db: Db) => db.delete(tasks).where(and(isNotNull(tasks.deletedAt), not(isRestorable)))

const COUNTED_AT_ONCE = 500

/** Counts the boxes of descriptions that were stored before they were counted. */
export async function countOldChecklists(db: Db): Promise<void> {
  const isOld = isNull(tasks.checklistAll)
  const old = await db.select({ id: tasks.id, description: tasks.description }).from(tasks).where(isOld).limit(COUNTED_AT_ONCE)
  for (const { id, description } of old) {
    const isSame = sql`${tasks.description} is not distinct from ${description}`
    await db
      .update(tasks)
      .set(checklistCounts(description))
      .where(and(eq(tasks.id, id), isOld, isSame))
  }
  if (old.length === COUNTED_AT_ONCE) await countOldChecklists(db)
}
