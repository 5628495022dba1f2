import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { BoardGrant } from '../../../boards/server/grants'
import type { Db } from '../../../db/client'
import { timeEntries } from '../../../db/schema'
import type { Part } from '../../../schema'
import { badRequest } from '../../../server/errors'
import type { TaskGrant } from '../../../tasks/server/grants'
import type { BoardPart, NewTimeEntry, TimeEntry, TimeEntryChanges } from '../schema'
import { dayIn, zoneOf } from './days'
import type { EntryGrant, EntryWriteGrant } from './grants'
import { entryColumns, findEntry, readEntries, toEntry } from './lookup'
import { transition } from './transitions'

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

/** Adds an entry of the viewer's to a task. */
export async function addEntry(db: Db, grant: TaskGrant<'change'>, given: NewTimeEntry, values: Added) {
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
export async function updateEntry(db: Db, grant: EntryGrant, changes: TimeEntryChanges, now: number) {
  const { entry } = grant
  const { note, billable } = changes
  const changed = await writeEntry(db, grant, {
    ...transition(entry, changes, now),
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

/** Stores some values of an entry; answers it as it is now. */
export async function writeEntry(db: Db, { entry }: EntryWriteGrant, values: Values): Promise<TimeEntry> {
  if (Object.keys(values).length === 0) return entry
  const { task: _, user: __, ...stored } = entryColumns
  const [row] = await db.update(timeEntries).set(values).where(eq(timeEntries.id, entry.id)).returning(stored)
  if (!row) throw new Error(`time entry ${entry.id} went away while its board was locked`)
  return toEntry({ ...row, task: entry.task, user: entry.user })
}

export async function deleteEntry(db: Db, { entry }: EntryGrant): Promise<void> {
  await db.delete(timeEntries).where(eq(timeEntries.id, entry.id))
}
