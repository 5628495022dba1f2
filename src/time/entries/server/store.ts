import { and, desc, eq, isNull, ne, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { boardMembers, tasks, timeEntries, users } from '../../../db/schema'
import type { Part } from '../../../schema'
import { badRequest } from '../../../server/errors'
import type { BoardGrant, EntryGrant, StartGrant, TaskGrant } from '../../../server/grants'
import type { UserSummary } from '../../../users/schema'
import { summaryJson } from '../../../users/server/store'
import { turned } from '../../timers/server/transitions'
import type { BoardPart, NewTimeEntry, TimeEntry, TimeEntryChanges } from '../schema'
import { dayIn, zoneOf } from './days'

export const entryColumns = {
  id: timeEntries.id,
  taskId: timeEntries.taskId,
  boardId: timeEntries.boardId,
  userId: timeEntries.userId,
  task: tasks.title,
  user: sql<UserSummary>`${summaryJson}`,
  startTime: timeEntries.startTime,
  endTime: timeEntries.endTime,
  day: timeEntries.day,
  duration: timeEntries.duration,
  note: timeEntries.note,
  status: timeEntries.status,
  runningSince: timeEntries.runningSince,
  counted: timeEntries.counted,
  confirmed: timeEntries.confirmed,
  billable: timeEntries.billable,
  createdAt: timeEntries.createdAt,
}

/** What is in the trash is there for nobody. */
export const itsTask = and(eq(tasks.id, timeEntries.taskId), isNull(tasks.deletedAt))

export const readEntries = (db: Db, tasksRead = itsTask) =>
  db
    .select(entryColumns)
    .from(timeEntries)
    .innerJoin(tasks, tasksRead)
    .innerJoin(users, eq(users.id, timeEntries.userId))
    .$dynamic()

type Row = Awaited<ReturnType<typeof readEntries>>[number]

export const toEntry = (row: Row): TimeEntry => ({
  ...row,
  startTime: row.startTime.toISOString(),
  endTime: row.endTime?.toISOString() ?? null,
  runningSince: row.runningSince?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
})

/** The clock that timers go by, in milliseconds: the database's, which all processes share. */
export async function clock(db: Db): Promise<number> {
  const [row] = await db
    .select({ now: sql<number>`floor(extract(epoch from clock_timestamp()) * 1000)::float8` })
    .from(sql`(values (1)) as one`)
  if (!row) throw new Error('the database has no clock')
  return row.now
}

/** The board of an entry, which never changes: for grants. */
export async function boardOfEntry(db: Db, entryId: number): Promise<number | undefined> {
  const [row] = await db.select({ boardId: timeEntries.boardId }).from(timeEntries).where(eq(timeEntries.id, entryId))
  return row?.boardId
}

/** An entry by its id, whoever asks: for grants. */
export async function findEntry(db: Db, entryId: number): Promise<TimeEntry | undefined> {
  const [row] = await readEntries(db).where(eq(timeEntries.id, entryId))
  return row && toEntry(row)
}

/** A task's minutes, as in `task.minutes`. */
export async function minutesOf(db: Db, taskId: number): Promise<number> {
  const [row] = await db
    .select({ minutes: sql<number>`coalesce(sum(${timeEntries.duration}), 0)::float8` })
    .from(timeEntries)
    .where(and(eq(timeEntries.taskId, taskId), ne(timeEntries.status, 'ACTIVE')))
  return row?.minutes ?? 0
}

/** The entries of a task, the newest work first; `more` where the list goes on. */
export async function listOfTask(db: Db, { task }: TaskGrant<'read'>, { limit, cursor }: Part) {
  const before =
    cursor &&
    sql`(${timeEntries.startTime}, ${timeEntries.id}) < (${cursor.moment.toISOString()}::timestamptz, ${cursor.id}::int)`
  return listed(db, and(eq(timeEntries.taskId, task.id), before), limit, [])
}

/** The entries of a board, those of the newest day first; `more` where the list goes on. */
export async function listOfBoard(db: Db, { board }: BoardGrant<'read'>, { limit, cursor }: BoardPart) {
  const before =
    cursor &&
    sql`(${timeEntries.day}, ${timeEntries.startTime}, ${timeEntries.id})
      < (${cursor.day}::date, ${cursor.startTime.toISOString()}::timestamptz, ${cursor.id}::int)`
  return listed(db, and(eq(timeEntries.boardId, board.id), before), limit, [desc(timeEntries.day)])
}

async function listed(db: Db, where: SQL | undefined, limit: number, first: SQL[]) {
  const rows = await readEntries(db)
    .where(where)
    .orderBy(...first, desc(timeEntries.startTime), desc(timeEntries.id))
    .limit(limit + 1)
  return { entries: rows.slice(0, limit).map(toEntry), more: rows.length > limit }
}

/** Logs work that was done. Throws BAD_REQUEST. */
export function logWork(db: Db, grant: TaskGrant<'change'>, given: Extract<NewTimeEntry, { status: 'completed' }>, now: number) {
  const startTime = new Date(given.startTime ?? now)
  const endTime = given.endTime ? new Date(given.endTime) : null
  assertOrder(startTime, endTime)
  return addEntry(db, grant, given, { startTime, endTime, duration: given.duration, status: 'completed' })
}

type Added = Pick<typeof timeEntries.$inferInsert, 'startTime' | 'endTime' | 'runningSince' | 'duration' | 'status'>

export async function addEntry(db: Db, grant: TaskGrant<'change'> | StartGrant, given: NewTimeEntry, values: Added) {
  const { viewer, board, task } = grant
  const timeZone = zoneOf(given) ?? 'UTC'
  const [row] = await db
    .insert(timeEntries)
    .values({
      ...values,
      day: dayIn(values.startTime, timeZone),
      timeZone,
      note: given.note ?? null,
      billable: given.billable,
      taskId: task.id,
      boardId: board.id,
      userId: viewer.id,
    })
    .returning({ id: timeEntries.id })
  const entry = row && (await findEntry(db, row.id))
  if (!entry) throw new Error('the new time entry was not returned')
  return entry
}

/** Changes the fields given; null where all is as it was. Throws CONFLICT, BAD_REQUEST. */
export async function updateEntry(db: Db, { entry }: EntryGrant, changes: TimeEntryChanges, now: number) {
  const { note, billable } = changes
  const changed = await writeEntry(db, entry, {
    ...turned(entry, changes, now),
    ...(note !== undefined && { note }),
    ...(billable !== undefined && { billable }),
    ...(await newStart(db, entry, changes)),
    ...newEnd(entry, changes),
  })
  assertOrder(new Date(changed.startTime), changed.endTime === null ? null : new Date(changed.endTime))
  if (changed.status !== 'completed' && Date.parse(changed.startTime) > now)
    throw badRequest('A timer cannot begin in the future.')
  return Bun.deepEquals(changed, entry) ? null : changed
}

/** The day is anew only where the work begins at another moment, or, without a moment, in another zone. */
async function newStart(db: Db, entry: TimeEntry, changes: TimeEntryChanges) {
  const startTime = new Date(changes.startTime ?? entry.startTime)
  const isMoved = startTime.getTime() !== Date.parse(entry.startTime)
  if (!isMoved && (changes.startTime !== undefined || changes.timeZone === undefined)) return {}
  const timeZone = zoneOf(changes) ?? (await zoneOfEntry(db, entry))
  return { startTime, timeZone, day: dayIn(startTime, timeZone) }
}

async function zoneOfEntry(db: Db, { id }: TimeEntry): Promise<string> {
  const [row] = await db.select({ timeZone: timeEntries.timeZone }).from(timeEntries).where(eq(timeEntries.id, id))
  return row?.timeZone ?? 'UTC'
}

/** A timer ends when it is stopped, whatever is said of an end before; with its start, work that is done moves as a whole. */
function newEnd(entry: TimeEntry, { startTime, endTime, status = entry.status }: TimeEntryChanges) {
  if (entry.status !== 'completed') return endTime && status === 'completed' ? { endTime: new Date(endTime) } : {}
  if (endTime !== undefined) return { endTime: endTime === null ? null : new Date(endTime) }
  if (startTime === undefined || entry.endTime === null) return {}
  return { endTime: new Date(Date.parse(startTime) + Date.parse(entry.endTime) - Date.parse(entry.startTime)) }
}

function assertOrder(startTime: Date, endTime: Date | null) {
  if (endTime && endTime < startTime) throw badRequest('Work cannot end before it begins.')
}

type Values = Partial<Omit<typeof timeEntries.$inferInsert, 'id' | 'taskId' | 'boardId' | 'userId' | 'createdAt'>>

/** What was changed as it is stored now. */
export async function writeEntry(db: Db, entry: TimeEntry, values: Values): Promise<TimeEntry> {
  if (Object.keys(values).length === 0) return entry
  const { task: _, user: __, ...stored } = entryColumns
  const [row] = await db.update(timeEntries).set(values).where(eq(timeEntries.id, entry.id)).returning(stored)
  if (!row) throw new Error(`time entry ${entry.id} went away while its board was locked`)
  return toEntry({ ...row, task: entry.task, user: entry.user })
}

export async function deleteEntry(db: Db, { entry }: EntryGrant): Promise<void> {
  await db.delete(timeEntries).where(eq(timeEntries.id, entry.id))
}

/** Everyone else on the board. */
export async function otherMembers(db: Db, { viewer, board }: TaskGrant<'change'> | StartGrant | EntryGrant): Promise<number[]> {
  const rows = await db
    .select({ userId: boardMembers.userId })
    .from(boardMembers)
    .where(and(eq(boardMembers.boardId, board.id), ne(boardMembers.userId, viewer.id)))
  return rows.map(({ userId }) => userId)
}
