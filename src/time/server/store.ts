import { and, asc, between, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { BoardGrant } from '../../boards/server/grants'
import { notDeleted } from '../../boards/server/lookup'
import type { Days } from '../../days'
import type { Db } from '../../db/database'
import { boardMembers, boards, notifications, tasks, timeEntries, users } from '../../db/tables'
import type { ListPage } from '../../schema'
import { badRequest } from '../../server/errors'
import type { SignedIn } from '../../server/signedIn'
import { type Part, trashRows, untrashRows } from '../../tasks/server/deletedRows.store'
import type { RowGrant, TaskGrant } from '../../tasks/server/grants'
import { dayIn, timeZoneOf } from '../limits'
import {
  type BoardEntriesPage,
  ENTRIES_MAX,
  type NewTimeEntry,
  type SheetTask,
  type TimeEntry,
  type TimeEntryChanges,
} from '../schema'
import type { EntryGrant, EntryWriteGrant } from './grants'
import { entryColumns, findEntry, joinsTask, type Moments, selectEntries, toEntry } from './lookup'
import { transition } from './timerTransitions'

export async function listTaskEntries(db: Db, { task }: TaskGrant<'read'>, { limit, cursor }: ListPage) {
  const before =
    cursor &&
    sql`(${timeEntries.startTime}, ${timeEntries.id}) < (${cursor.moment.toISOString()}::timestamptz, ${cursor.id}::int)`
  return listEntries(db, and(eq(timeEntries.taskId, task.id), before), limit, [])
}

export async function listBoardEntries(db: Db, { board }: BoardGrant<'read'>, { limit, cursor }: BoardEntriesPage) {
  const before =
    cursor &&
    sql`(${timeEntries.day}, ${timeEntries.startTime}, ${timeEntries.id})
      < (${cursor.day}::date, ${cursor.startTime.toISOString()}::timestamptz, ${cursor.id}::int)`
  return listEntries(db, and(eq(timeEntries.boardId, board.id), before), limit, [desc(timeEntries.day)])
}

async function listEntries(db: Db, where: SQL | undefined, limit: number, first: SQL[]) {
  const rows = await selectEntries(db)
    .where(where)
    .orderBy(...first, desc(timeEntries.startTime), desc(timeEntries.id))
    .limit(limit + 1)
  return { entries: rows.slice(0, limit).map(toEntry), more: rows.length > limit }
}

/** Throws BAD_REQUEST. */
export function logWork(db: Db, grant: TaskGrant<'change'>, given: Extract<NewTimeEntry, { status: 'completed' }>, now: number) {
  const startTime = new Date(given.startTime ?? now)
  const endTime = given.endTime ? new Date(given.endTime) : null
  assertOrder(startTime, endTime)
  return addEntry(db, grant, given, { startTime, endTime, duration: given.duration, status: 'completed' })
}

type TimeValues = Pick<typeof timeEntries.$inferInsert, 'startTime' | 'endTime' | 'runningSince' | 'duration' | 'status'>

export async function addEntry(db: Db, grant: TaskGrant<'change'>, given: NewTimeEntry, values: TimeValues) {
  const { viewer, board, task } = grant
  const timeZone = timeZoneOf(given) ?? 'UTC'
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

/** Null if nothing changed; `at` is when its timer changed. Throws CONFLICT, BAD_REQUEST. */
export async function updateEntry(db: Db, grant: EntryGrant, changes: TimeEntryChanges, { now, at }: Moments) {
  const { entry } = grant
  const { note, billable } = changes
  const changed = await writeEntry(db, grant, {
    ...transition(entry, changes, at),
    ...(note !== undefined && { note }),
    ...(billable !== undefined && { billable }),
    ...(await newStart(db, entry, changes)),
    ...newEnd(entry, changes),
  })
  assertOrder(new Date(changed.startTime), changed.endTime === null ? null : new Date(changed.endTime))
  if (changed.status !== 'completed' && Date.parse(changed.startTime) > now)
    throw badRequest('A timer cannot start in the future.')
  return changed.revision === entry.revision ? null : changed
}

/** The stored day changes only with the start, or with a time zone given without a start. */
async function newStart(db: Db, entry: TimeEntry, changes: TimeEntryChanges) {
  const startTime = new Date(changes.startTime ?? entry.startTime)
  const isMoved = startTime.getTime() !== Date.parse(entry.startTime)
  if (!isMoved && (changes.startTime !== undefined || changes.timeZone === undefined)) return {}
  const timeZone = timeZoneOf(changes) ?? (await zoneOfEntry(db, entry))
  return { startTime, timeZone, day: dayIn(startTime, timeZone) }
}

async function zoneOfEntry(db: Db, { id }: TimeEntry): Promise<string> {
  const [row] = await db.select({ timeZone: timeEntries.timeZone }).from(timeEntries).where(eq(timeEntries.id, id))
  return row?.timeZone ?? 'UTC'
}

/** Of a timer only the call that stops it may name its end; moving the start of completed work moves its end. */
function newEnd(entry: TimeEntry, { startTime, endTime, status = entry.status }: TimeEntryChanges) {
  if (entry.status !== 'completed') return endTime && status === 'completed' ? { endTime: new Date(endTime) } : {}
  if (endTime !== undefined) return { endTime: endTime === null ? null : new Date(endTime) }
  if (startTime === undefined || entry.endTime === null) return {}
  return { endTime: new Date(Date.parse(startTime) + Date.parse(entry.endTime) - Date.parse(entry.startTime)) }
}

function assertOrder(startTime: Date, endTime: Date | null) {
  if (endTime && endTime < startTime) throw badRequest('Work cannot end before it starts.')
}

type Values = Partial<Omit<typeof timeEntries.$inferInsert, 'id' | 'taskId' | 'boardId' | 'userId' | 'createdAt' | 'revision'>>

export async function writeEntry(db: Db, { entry }: EntryWriteGrant, values: Values): Promise<TimeEntry> {
  if (Object.keys(values).length === 0) return entry
  const { task, user, ...storedColumns } = entryColumns
  const revision = entry.revision + (isShown(entry, values) ? 1 : 0)
  const [row] = await db
    .update(timeEntries)
    .set({ ...values, revision })
    .where(eq(timeEntries.id, entry.id))
    .returning(storedColumns)
  if (!row) throw new Error(`time entry ${entry.id} was deleted while its board was locked`)
  return toEntry({ ...row, task: entry.task, user: entry.user })
}

const isShown = (entry: TimeEntry, values: Values) =>
  Object.entries(values).some(
    ([field, value]) =>
      field in entry && (value instanceof Date ? value.toISOString() : value) !== entry[field as keyof TimeEntry],
  )

const partsOf = (entryId: number): Part[] => [
  { table: timeEntries, where: eq(timeEntries.id, entryId) },
  { table: notifications, where: eq(notifications.timeEntryId, entryId) },
]

export const deleteEntry = (db: Db, { viewer, entry }: EntryGrant): Promise<void> =>
  trashRows(db, { kind: 'entry', rowId: entry.id, taskId: entry.taskId, userId: viewer.id }, partsOf(entry.id))

export async function restoreEntry(db: Db, grant: RowGrant<'entry'>): Promise<TimeEntry> {
  await untrashRows(db, grant, partsOf(grant.rowId))
  const entry = await findEntry(db, grant.rowId)
  if (!entry) throw new Error(`time entry ${grant.rowId} was not restored`)
  return entry
}

/** Found board by board through the memberships, so that one index leads to the days of each. */
export async function listMine(db: Db, viewer: SignedIn, { from, to }: Days) {
  const own = and(eq(timeEntries.boardId, boards.id), eq(timeEntries.userId, viewer.id), between(timeEntries.day, from, to))
  const rows = await db
    .select({ ...entryColumns, board: boards.name })
    .from(boardMembers)
    .innerJoin(boards, and(eq(boards.id, boardMembers.boardId), notDeleted))
    .innerJoin(timeEntries, own)
    .innerJoin(tasks, joinsTask)
    .innerJoin(users, eq(users.id, timeEntries.userId))
    .where(eq(boardMembers.userId, viewer.id))
    .orderBy(desc(timeEntries.day), desc(timeEntries.startTime), desc(timeEntries.id))
    .limit(ENTRIES_MAX + 1)
  const entries = rows.slice(0, ENTRIES_MAX).map(({ board, ...row }) => ({ ...toEntry(row), board }))
  return { entries, more: rows.length > ENTRIES_MAX }
}

const RECENT_DAYS = 28
const TASKS_MAX = 500

/** The viewer's assigned tasks and those that they worked on lately; done ones come last. */
export function tasksOfMine(db: Db, viewer: SignedIn, { from, to }: Days): Promise<SheetTask[]> {
  const own = sql`select a.task_id from board_members m
      join task_assignees a on a.board_id = m.board_id and a.user_id = m.user_id where m.user_id = ${viewer.id}
    union select e.task_id from board_members m
      join time_entries e on e.board_id = m.board_id and e.user_id = m.user_id and e.day between ${from}::date - ${RECENT_DAYS}::int and ${to}::date
      where m.user_id = ${viewer.id}`
  return db
    .select({ id: tasks.id, boardId: tasks.boardId, title: tasks.title, status: tasks.status, board: boards.name })
    .from(tasks)
    .innerJoin(boards, and(eq(boards.id, tasks.boardId), notDeleted))
    .where(and(sql`${tasks.id} = any(array(${own}))`, isNull(tasks.deletedAt)))
    .orderBy(asc(sql`${tasks.status} = 'done'`), desc(tasks.id))
    .limit(TASKS_MAX)
}
