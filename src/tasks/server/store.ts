import { and, eq, isNotNull, not, sql } from 'drizzle-orm'
import type { BoardGrant } from '../../boards/server/grants'
import type { Db } from '../../db/database'
import { type Given, prepared } from '../../db/prepared'
import { tasks } from '../../db/schema'
import { type NewTask, SETTABLE, type Task, type TaskChanges } from '../schema'
import type { RestoreGrant, TaskGrant } from './grants'
import { findTask, isRestorable, storedColumns, toTask } from './lookup'
import { endOfColumn, freePosition, newPosition, rebalance } from './order/store'
import { assertDescriptionQuota, assertTaskQuota } from './quota/store'

type Inserted = Required<NewTask> & { position: string; boardId: number; createdBy: number }

const insertTask = prepared((db, given: Given<Inserted>) => {
  const { title, description, status, dueDate, tags, position, boardId, createdBy } = given
  return db
    .insert(tasks)
    .values({ title, description, status, dueDate, tags, position, boardId, createdBy })
    .returning(storedColumns)
})

/** Adds the task at the end of its column. Throws CONFLICT if the board's quota is reached. */
export async function createTask(db: Db, { board, viewer }: BoardGrant<'change'>, given: NewTask): Promise<Task> {
  await assertDescriptionQuota(db, board.id, given.description)
  await assertTaskQuota(db, board)
  const position = await endOfColumn(db, { boardId: board.id, status: given.status })
  const { description = null, dueDate = null } = given
  const [stored] = await insertTask(db, { ...given, description, dueDate, position, boardId: board.id, createdBy: viewer.id })
  if (!stored) throw new Error('the new task was not returned')
  return toTask({ ...stored, assignees: [], commentCount: 0, minutes: 0 })
}

/** Null if nothing changed. Throws CONFLICT if the board's quota is reached. */
export async function updateTask(db: Db, grant: TaskGrant<'change'>, changes: TaskChanges): Promise<Task | null> {
  const { task } = grant
  const updates = onlyChanged(task, { ...changes, ...(await newPosition(db, task, changes)) })
  if (Object.keys(updates).length === 0) return null
  await assertDescriptionQuota(db, task.boardId, updates.description, task.description)
  const updatedAt = new Date()
  const revision = task.revision + 1
  await updateOf(Object.keys(updates) as Field[])(db, { ...updates, updatedAt, revision, id: task.id })
  const updated = { ...task, ...updates, updatedAt: updatedAt.toISOString(), revision }
  return { ...updated, position: await rebalance(db, grant, updated) }
}

const CHANGEABLE = [...SETTABLE, 'position'] as const
type Field = (typeof CHANGEABLE)[number]
type Updates = Partial<Pick<Task, Field>>
type Stamped = Updates & { id: number; updatedAt: Date; revision: number }

const prepareUpdate = (fields: Field[]) =>
  prepared((db, given: Given<Stamped>) => {
    const written = [...fields, 'updatedAt', 'revision'] as const
    const set = Object.fromEntries(written.map((field) => [field, sql`${sql.param(given[field], tasks[field])}`]))
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
