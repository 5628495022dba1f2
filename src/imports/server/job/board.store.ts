import { and, eq, sql } from 'drizzle-orm'
import type { BoardRow, BoardTable } from '../../../archive/schema'
import { ACCOUNT_DISABLED } from '../../../auth/limits'
import { FREE_LIMIT } from '../../../boards/schema'
import { LONG_AGO, mayHaveAnotherBoard } from '../../../boards/server/lookup'
import type { Db } from '../../../db/database'
import { activities, boardMembers, boards, comments, rates, taskAssignees, tasks, timeEntries, users } from '../../../db/tables'
import { forbidden } from '../../../server/errors'
import type { SignedIn } from '../../../server/signedIn'
import { STATUSES } from '../../../tasks/limits'
import { FIRST_DAY } from '../../../time/schema'
import { type Filling, nameValues, targetColumn, taskValues, withNewIds, withPositions } from './boardRows'

/** Hidden from everyone, with the importer as its only member. */
export async function insertHiddenBoard(db: Db, { importer, name }: Filling): Promise<number> {
  const hidden = { name, createdBy: null, deletedAt: LONG_AGO }
  const [board] = await db.insert(boards).values(hidden).returning({ id: boards.id })
  if (!board) throw new Error('the new board was not returned')
  await db.insert(boardMembers).values({ boardId: board.id, userId: importer.id })
  return board.id
}

export type Write<Row> = (db: Db, boardId: number, filling: Filling, rows: Row[]) => Promise<unknown>

const writeBoard: Write<BoardRow<'board'>> = async (db, boardId, { fit, past }, [board]) => {
  if (!board) return
  const { description, createdAt } = fit.board(board)
  await db
    .update(boards)
    .set({ description, createdAt: past(createdAt) })
    .where(eq(boards.id, boardId))
}

const writePeople: Write<BoardRow<'people'>> = async (db, boardId, filling, rows) => {
  const { importer, me, people } = filling
  // Of several people with one address, a list's board may lack the first, who stands for all in the preview.
  const isMe = ({ id, email, former }: BoardRow<'people'>) =>
    !former && me !== undefined && (id === me.id || (email !== null && email === me.email))
  const found = rows.map((row) => ({ row, person: filling.fit.people(row) }))
  const fresh = new Set(found.flatMap(({ person }) => (people.has(person.id) || isMe(person) ? [] : person)))
  const names = [...fresh].map((person) => ({ person, name: nameValues(person, boardId) }))
  if (names.length > 0) {
    const added = await db
      .insert(users)
      .values(names.map(({ name }) => name))
      .returning({ id: users.id, username: users.username })
    const ids = new Map(added.map(({ id, username }) => [username, id]))
    for (const { person, name } of names) {
      const id = ids.get(name.username) ?? 0
      people.set(person.id, id)
      if (person.former) filling.formers.add(id)
    }
  }
  for (const { row, person } of found) people.set(row.id, isMe(person) ? importer.id : (people.get(person.id) ?? 0))
  const members = found.filter(({ row, person }) => row.member && !person.former && !isMe(person))
  await addMembers(
    db,
    boardId,
    filling,
    members.flatMap(({ row }) => people.get(row.id) ?? []),
  )
}

async function addMembers(db: Db, boardId: number, { members }: Filling, userIds: number[]) {
  const fresh = [...new Set(userIds)].filter((id) => !members.has(id))
  for (const id of fresh) members.add(id)
  if (fresh.length > 0)
    await db
      .insert(boardMembers)
      .values(fresh.map((userId) => ({ boardId, userId })))
      .onConflictDoNothing()
}

const writeTasks: Write<BoardRow<'tasks'>> = async (db, boardId, filling, rows) => {
  const chosen = rows.flatMap((row) => {
    const column = targetColumn(row, filling.choices)
    return column === 'leave' || (row.closed && !filling.choices.closed) ? [] : { ...filling.fit.tasks(row), status: column }
  })
  const placed = STATUSES.flatMap((status) =>
    withPositions(
      filling,
      status,
      chosen.filter((task) => task.status === status),
    ),
  )
  if (placed.length === 0) return
  const added = await db
    .insert(tasks)
    .values(placed.map((task) => taskValues(task, boardId, filling)))
    .returning({ id: tasks.id, status: tasks.status, position: tasks.position })
  const ids = new Map(added.map(({ id, status, position }) => [`${status} ${position}`, id]))
  for (const { id, status, position } of placed) filling.tasks.set(id, ids.get(`${status} ${position}`) ?? 0)
}

const writeAssignees: Write<BoardRow<'assignees'>> = async (db, boardId, filling, rows) => {
  const found = withNewIds(filling, rows).flatMap(({ taskId, userId }) =>
    filling.formers.has(userId) ? [] : { taskId, userId, boardId },
  )
  await addMembers(
    db,
    boardId,
    filling,
    found.map(({ userId }) => userId),
  )
  if (found.length > 0) await db.insert(taskAssignees).values(found).onConflictDoNothing()
}

const writeComments: Write<BoardRow<'comments'>> = async (db, _, filling, rows) => {
  const parts = rows.flatMap(filling.fit.comments)
  const found = withNewIds(filling, parts).map(({ row: { content, createdAt }, ...own }) => ({
    ...own,
    content,
    createdAt: filling.past(createdAt),
  }))
  if (found.length > 0) await db.insert(comments).values(found)
}

const writeEntries: Write<BoardRow<'entries'>> = async (db, boardId, filling, rows) => {
  const fitting = rows.flatMap((row) => filling.fit.entries(row) ?? [])
  const found = withNewIds(filling, fitting).map(
    ({ row: { task: _, person: __, minutes, startTime, endTime, createdAt, ...row }, ...own }) => ({
      ...row,
      ...own,
      boardId,
      duration: minutes,
      startTime: new Date(startTime),
      endTime: endTime === null ? null : new Date(endTime),
      createdAt: filling.past(createdAt ?? startTime),
    }),
  )
  if (found.length > 0) await db.insert(timeEntries).values(found)
}

const writeRates: Write<BoardRow<'rates'>> = async (db, boardId, filling, rows) => {
  const found = rows.flatMap((row) => {
    const userId = filling.people.get(row.person)
    return userId && filling.fit.rates(row, userId) ? { boardId, userId, from: row.from ?? FIRST_DAY, cents: row.cents } : []
  })
  if (found.length > 0) await db.insert(rates).values(found).onConflictDoNothing()
}

const writeActivities: Write<BoardRow<'activities'>> = async (db, boardId, filling, rows) => {
  const { people, tasks: kept, past, fit } = filling
  const found = rows.flatMap((row) => {
    const taskId = row.task === null ? null : kept.get(row.task)
    const userId = people.get(row.person)
    const event = taskId !== undefined && userId ? fit.activities(row, (person) => people.get(person)) : null
    return event && userId && taskId !== undefined ? { ...event, boardId, taskId, userId, createdAt: past(row.createdAt) } : []
  })
  if (found.length > 0) await db.insert(activities).values(found)
}

/** In the order of writing. Files follow one by one. */
export const WRITERS: { [Table in Exclude<BoardTable, 'attachments'>]: Write<BoardRow<Table>> } = {
  board: writeBoard,
  people: writePeople,
  tasks: writeTasks,
  assignees: writeAssignees,
  comments: writeComments,
  rates: writeRates,
  entries: writeEntries,
  activities: writeActivities,
}

/** The version tells how large a board may be: see the snapshot cache. */
export const countTasks = (db: Db, boardId: number) =>
  db
    .update(boards)
    .set({ version: sql`${boards.version} + (select count(*) from tasks where board_id = ${boardId})` })
    .where(eq(boards.id, boardId))

/** Lock order, as in deleting an account: board, account, import. Throws FORBIDDEN if the account was disabled meanwhile. */
export async function lockImporter(db: Db, userId: number): Promise<void> {
  const [user] = await db.select({ disabledAt: users.disabledAt }).from(users).where(eq(users.id, userId)).for('key share')
  if (user?.disabledAt) throw forbidden(ACCOUNT_DISABLED)
}

/** Needs the board's lock. Throws FORBIDDEN. */
export async function openBoard(db: Db, importer: SignedIn, name: string, boardId: number): Promise<void> {
  if (!(await mayHaveAnotherBoard(db, importer))) throw forbidden(FREE_LIMIT, { requiresUpgrade: true })
  await db
    .update(boards)
    .set({ name, createdBy: importer.id, deletedAt: null, importedAt: sql`now()` })
    .where(eq(boards.id, boardId))
  const own = and(eq(boardMembers.boardId, boardId), eq(boardMembers.userId, importer.id))
  await db.update(boardMembers).set({ addedAt: sql`now()` }).where(own)
}
