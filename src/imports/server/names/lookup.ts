import { type AnyColumn, and, eq, inArray, isNotNull, not, or, type SQL, sql } from 'drizzle-orm'
import { alias, union } from 'drizzle-orm/pg-core'
import { createdBy, notDeleted } from '../../../boards/server/lookup'
import type { Db } from '../../../db/database'
import { boardMembers, boards, nameOffers, users } from '../../../db/tables'
import { displayName } from '../../../users/schema'
import { COUNTED_MAX, type ImportedName, NAMED, namesText } from '../../schema'

const name = alias(users, 'name')

/** `offered` if the board's creator asked them. */
export type Asked = { nameId: number; userId: number; offered: boolean; answer: 'yes' | 'no' | null }

/** Who is asked about which names of a board. Names that someone accepted are left out. */
export function findAsked(db: Db, boardId: number, of: { nameIds?: number[]; userId?: number } = {}): Promise<Asked[]> {
  const asked = union(askedByAddress(db, boardId), askedByCreator(db, boardId)).as('asked')
  const taken = sql`exists (select 1 from name_offers taken
    where taken.name_id = ${asked.nameId} and taken.answer = 'yes' and taken.user_id <> ${asked.userId})`
  const isOffered = sql<boolean>`coalesce(${nameOffers.offered}, false)`
  const isSought: (SQL | undefined)[] = [
    of.nameIds === undefined ? undefined : inArray(asked.nameId, of.nameIds),
    of.userId === undefined ? undefined : eq(asked.userId, of.userId),
  ]
  return db
    .select({ nameId: asked.nameId, userId: asked.userId, offered: isOffered, answer: nameOffers.answer })
    .from(asked)
    .innerJoin(boardMembers, and(eq(boardMembers.boardId, boardId), eq(boardMembers.userId, asked.userId)))
    .leftJoin(nameOffers, and(eq(nameOffers.nameId, asked.nameId), eq(nameOffers.userId, asked.userId)))
    .where(and(sql`not ${taken}`, ...isSought))
    .orderBy(asked.nameId, asked.userId)
}

/** Unique aliases: Drizzle does not qualify the columns of a union. */
const whoIsAsked = (userId: AnyColumn) => ({
  nameId: sql<number>`${name.id}`.as('asked_name'),
  userId: sql<number>`${userId}`.as('asked_user'),
})

/** Users who hide their address are not asked: the creator sees who is asked, and would learn whose address it is. */
const askedByAddress = (db: Db, boardId: number) =>
  db
    .select(whoIsAsked(users.id))
    .from(name)
    .innerJoin(users, and(eq(users.email, name.importedEmail), isNotNull(users.emailVerifiedAt), users.showEmail))
    .where(eq(name.importedOn, boardId))

/** Also those who said no, who may change their mind, unless another member is being asked. */
const askedByCreator = (db: Db, boardId: number) => {
  const isOpen = sql`exists (select from name_offers other
    join board_members on board_members.board_id = ${boardId} and board_members.user_id = other.user_id
    where other.name_id = ${name.id} and other.offered and other.answer is null)`
  return db
    .select(whoIsAsked(nameOffers.userId))
    .from(name)
    .innerJoin(nameOffers, eq(nameOffers.nameId, name.id))
    .where(and(eq(name.importedOn, boardId), or(nameOffers.offered, and(eq(nameOffers.answer, 'no'), not(isOpen)))))
}

export type Work = NonNullable<ImportedName['work']>

export async function findWork(db: Db, boardId: number, nameIds: number[]): Promise<Map<number, Work>> {
  if (nameIds.length === 0) return new Map()
  // Drizzle omits the table name when only one table is selected from.
  const ofName = sql`"name"."id"`
  const isOnTask = (taskId: SQL) => sql`exists (select from tasks t where t.id = ${taskId} and t.deleted_at is null)`
  const own = sql`select id from tasks where created_by = ${ofName} and deleted_at is null`
  const assigned = sql`select task_id from task_assignees where board_id = ${boardId} and user_id = ${ofName} and ${isOnTask(sql`task_id`)}`
  const said = sql`select from comments where user_id = ${ofName} and ${isOnTask(sql`task_id`)} limit ${COUNTED_MAX}`
  const logged = sql`select sum(duration_minutes) from time_entries where user_id = ${ofName} and ${isOnTask(sql`task_id`)}`
  const rows = await db
    .select({
      nameId: name.id,
      tasks: sql<number>`(select count(*) from (${own} union ${assigned} limit ${COUNTED_MAX}) counted)::int`,
      comments: sql<number>`(select count(*) from (${said}) counted)::int`,
      minutes: sql<number>`coalesce((${logged}), 0)::float8`,
    })
    .from(name)
    .where(and(eq(name.importedOn, boardId), inArray(name.id, nameIds)))
  return new Map(rows.map(({ nameId, ...work }) => [nameId, work]))
}

export async function describeNames(db: Db, nameIds: number[]): Promise<string> {
  const named = await db
    .select({ name: users.name, username: users.username })
    .from(users)
    .where(inArray(users.id, nameIds))
    .orderBy(users.id)
    .limit(NAMED)
  return namesText(named.map(displayName), nameIds.length)
}

/** Without former members, whom nobody can claim. */
export const isNameOn = (boardId: number) => and(eq(users.importedOn, boardId), not(users.former))

export const isNameOf = async (db: Db, boardId: number, nameId: number): Promise<boolean> =>
  (await db.$count(users, and(eq(users.id, nameId), isNameOn(boardId)))) > 0

export const findAnswers = (db: Db, nameId: number) =>
  db.select({ userId: nameOffers.userId, answer: nameOffers.answer }).from(nameOffers).where(eq(nameOffers.nameId, nameId))

export type Accepted = { nameId: number; userId: number; boardId: number; createdBy: number }

/** Accepted names whose work has not all been moved. */
export const findAccepted = (db: Db, nameId?: number): Promise<Accepted[]> =>
  db
    .select({ nameId: nameOffers.nameId, userId: nameOffers.userId, boardId: boards.id, createdBy })
    .from(nameOffers)
    .innerJoin(name, eq(name.id, nameOffers.nameId))
    .innerJoin(boards, and(eq(boards.id, name.importedOn), notDeleted))
    .where(and(eq(nameOffers.answer, 'yes'), nameId === undefined ? undefined : eq(nameOffers.nameId, nameId)))
    .orderBy(nameOffers.nameId)
