import { type AnyColumn, and, asc, count, eq, inArray, isNotNull, isNull, not, type SQL, sql } from 'drizzle-orm'
import { mayCreateBoard } from '../../access'
import { CONTRIBUTIONS } from '../../db/contributions'
import type { Db } from '../../db/database'
import { DatabaseUnavailable } from '../../db/failures'
import { atOnce, builtOnce } from '../../db/statements'
import { boardMembers, boards, users } from '../../db/tables'
import type { SignedIn } from '../../server/signedIn'
import { hasAccount, hasPro } from '../../users/server/lookup'
import { FREE_BOARDS, RESTORABLE_DAYS } from '../schema'

const isDeleted = isNotNull(boards.deletedAt)
export const wasDeletedRecently = (deletedAt: AnyColumn): SQL => sql`${deletedAt} > now() - ${RESTORABLE_DAYS} * interval '1 day'`

export const isRestorable = and(isDeleted, wasDeletedRecently(boards.deletedAt))

/** `deletedAt` of a board that an import fills: nobody finds it, and it is purged once no import holds it. */
export const LONG_AGO = new Date(0)
const isBeingFilled = sql`exists (select 1 from imports where imports.board_id = ${boards.id} and imports.state = 'running')`
export const isPurgeable = and(isDeleted, not(wasDeletedRecently(boards.deletedAt)), not(isBeingFilled))

const ofTasks = sql`time_entries join tasks on tasks.id = time_entries.task_id and tasks.deleted_at is null`

/** float8: drivers return bigint as text. */
const minutesOf = (userId: number) => sql<number>`(
  select coalesce(sum(duration_minutes), 0)::float8 from ${ofTasks}
  where time_entries.board_id = boards.id and time_entries.user_id = ${userId})`

export const deletedColumns = (userId: number) => ({
  id: boards.id,
  name: boards.name,
  // 0 once the creator's account is deleted.
  createdBy: sql<number>`coalesce(${boards.createdBy}, 0)`,
  deletedAt: sql<Date>`${boards.deletedAt}`.mapWith(boards.deletedAt),
  minutes: minutesOf(userId),
})
export type DeletedRow = { id: number; name: string; createdBy: number; deletedAt: Date; minutes: number }

export async function findDeletedBoard(db: Db, userId: number, boardId: number): Promise<DeletedRow | undefined> {
  const [row] = await db
    .select(deletedColumns(userId))
    .from(boards)
    .where(and(eq(boards.id, boardId), isRestorable))
  return row
}

/** Members may export their hours until the board is purged; names without an account cannot. */
export const hasHoursOfOthers = (userId: number) => sql`exists (
  select 1 from ${ofTasks} join users worker on worker.id = time_entries.user_id and worker.imported_on is null
  where time_entries.board_id = ${boards.id} and time_entries.user_id <> ${userId} and time_entries.duration_minutes > 0)`

export const othersWorkedOn = async (db: Db, userId: number, boardId: number): Promise<boolean> =>
  (await db.$count(boards, and(eq(boards.id, boardId), hasHoursOfOthers(userId)))) > 0

/** A deleted board does not exist, except to functions named for deleted boards, here and in `deleted.store.ts`. */
export const notDeleted = isNull(boards.deletedAt)

export const isMemberOf = (boardId: AnyColumn, userId: AnyColumn | number): SQL => sql`exists (
  select 1 from board_members member join boards board on board.id = member.board_id and board.deleted_at is null
  where member.board_id = ${boardId} and member.user_id = ${userId})`

/** A removed member can only return through an invitation made afterwards. */
export const isFromBeforeRemoval = (boardId: AnyColumn, createdAt: AnyColumn, userId: number): SQL => sql`exists (
  select 1 from left_boards gone where gone.board_id = ${boardId} and gone.user_id = ${userId} and gone.removed
  and gone.left_at >= ${createdAt})`

/** The creator's first board by membership: one handed over later does not count as first. */
const isFirst = sql<boolean>`not exists (
  select 1 from boards earlier
  join board_members creator on creator.board_id = earlier.id and creator.user_id = earlier.created_by
  where earlier.created_by = ${boards.createdBy} and earlier.deleted_at is null
    and (creator.added_at, earlier.id) < (${boardMembers.addedAt}, ${boards.id}))`

/** Null only for deleted boards, by a check in db/tables.ts. */
export const createdBy = sql<number>`${boards.createdBy}`

export const boardColumns = {
  id: boards.id,
  name: boards.name,
  description: boards.description,
  createdBy,
  version: boards.version,
  createdAt: boards.createdAt,
  inviteLinks: boards.inviteLinks,
  isFirst,
}
export type BoardRow = Omit<typeof boards.$inferSelect, 'createdBy' | 'deletedAt' | 'importedAt'> & {
  createdBy: number
  isFirst: boolean
}

const lock = (db: Db, boardIds: number[], send: () => Promise<unknown>) =>
  waitForBoards(boardIds, async (isStuck) => {
    await atOnce([isStuck && db.execute(sql`set local lock_timeout = '300ms'`).execute(), send()])
  })

/** Locks the board against changes; queries sent after this call run under the lock. */
export const lockBoard = (db: Db, boardId: number): Promise<void> =>
  lock(db, [boardId], () =>
    db.select({ id: boards.id }).from(boards).where(eq(boards.id, boardId)).for('no key update').execute(),
  )

/** Locks in the order of ids, against deadlocks. */
export async function lockBoards(db: Db, boardIds: number[]): Promise<void> {
  const all = inArray(boards.id, boardIds)
  const query = db.select({ id: boards.id }).from(boards).where(all).orderBy(asc(boards.id)).for('no key update')
  await lock(db, boardIds, () => query.execute())
}

export const lockBoardShared = (db: Db, boardId: number): Promise<void> =>
  lock(db, [boardId], () => db.select({ id: boards.id }).from(boards).where(eq(boards.id, boardId)).for('share').execute())

const boardAsMember = builtOnce((db) =>
  db
    .select(boardColumns)
    .from(boards)
    .innerJoin(boardMembers, and(eq(boardMembers.boardId, boards.id), eq(boardMembers.userId, sql.placeholder('userId'))))
    .where(and(eq(boards.id, sql.placeholder('boardId')), notDeleted))
    .prepare('board_as_member'),
)

export async function findBoardAsMember(db: Db, userId: number, boardId: number): Promise<BoardRow | undefined> {
  const [row] = await boardAsMember(db).execute({ userId, boardId })
  return row
}

/** Locks the account, so that concurrent calls cannot exceed the plan, and reads the plan again, which may just have ended. */
export async function mayHaveAnotherBoard(db: Db, viewer: SignedIn, more = 1): Promise<boolean> {
  const [account] = await db.select({ isPro: hasPro }).from(users).where(eq(users.id, viewer.id)).for('update')
  const own = and(eq(boards.createdBy, viewer.id), notDeleted)
  const [created] = await db.select({ boards: count() }).from(boards).where(own)
  return mayCreateBoard({ ...viewer, ...account }, (created?.boards ?? 0) + more - 1, FREE_BOARDS)
}

declare const created: unique symbol
export type CreatedBoardId = number & { readonly [created]: true }

export async function boardsAmong(db: Db, { id }: SignedIn, boardIds: number[]): Promise<number[]> {
  const found = and(eq(boardMembers.userId, id), inArray(boardMembers.boardId, boardIds), notDeleted)
  const own = db.select({ id: boards.id }).from(boards).innerJoin(boardMembers, eq(boardMembers.boardId, boards.id)).where(found)
  const ids = new Set((boardIds.length > 0 ? await own : []).map((board) => board.id))
  return boardIds.filter((boardId) => ids.has(boardId))
}

export async function versionsOf(db: Db, boardIds: number[]): Promise<Map<number, number>> {
  const found = and(inArray(boards.id, boardIds), notDeleted)
  const rows = await db.select({ id: boards.id, version: boards.version }).from(boards).where(found)
  return new Map(rows.map(({ id, version }) => [id, version]))
}

export async function memberIds(db: Db, boardId: number): Promise<number[]> {
  const rows = await db.select({ id: boardMembers.userId }).from(boardMembers).where(eq(boardMembers.boardId, boardId))
  return rows.map((row) => row.id)
}

/** Names without an account, and disabled accounts, do not count. */
export async function areMembers(db: Db, people: { boardId: number; userId: number }[]): Promise<boolean> {
  for (const { boardId, userId } of people) {
    const found = await db
      .select({ id: boardMembers.id })
      .from(boardMembers)
      .innerJoin(users, and(eq(users.id, boardMembers.userId), hasAccount, isNull(users.disabledAt)))
      .where(and(eq(boardMembers.boardId, boardId), eq(boardMembers.userId, userId)))
    if (found.length === 0) return false
  }
  return true
}

/** All boards, deleted ones too, that the user is a member of or left something on. */
export function boardsTouchedBy(db: Db, userId: number) {
  const work = CONTRIBUTIONS.map(({ table, on }) =>
    on === 'board'
      ? sql`union select board_id from ${table} where user_id = ${userId}`
      : sql`union select tasks.board_id from tasks join ${table} on tasks.id = ${table}.task_id where ${table}.user_id = ${userId}`,
  )
  const touched = sql`(select board_id from board_members where user_id = ${userId}
    union select board_id from tasks where created_by = ${userId} ${sql.join(work, sql` `)})`
  return (
    db
      .select({
        id: boards.id,
        createdBy,
        isMember: sql<boolean>`${boardMembers.id} is not null`,
        isDeleted: sql<boolean>`${boards.deletedAt} is not null`,
      })
      .from(boards)
      .leftJoin(boardMembers, and(eq(boardMembers.boardId, boards.id), eq(boardMembers.userId, userId)))
      // As an array: with a join Postgres expects many boards and reads all.
      .where(sql`${boards.id} = any(array${touched})`)
      .orderBy(asc(boards.id))
  )
}

const STUCK_AFTER_MS = 1_000
const FORGOTTEN_AFTER_MS = 1_000

type Wait = { count: number; since: number }

/** By board: how many callers wait for its lock in this process, and since when none got it. */
const waits = new Map<number, Wait>()

/** While another process has a board's lock, one caller here tries briefly, the rest are refused. Throws DatabaseUnavailable. */
export async function waitForBoards<T>(boardIds: number[], lock: (isStuck: boolean) => Promise<T>): Promise<T> {
  const given = boardIds.map((id) => ({ id, wait: waits.get(id) ?? { count: 0, since: performance.now() } }))
  const stuck = given.filter(({ wait }) => performance.now() - wait.since > STUCK_AFTER_MS)
  if (stuck.some(({ wait }) => wait.count > 0)) throw new DatabaseUnavailable('a board is locked by another process')
  for (const { id, wait } of given) {
    waits.set(id, wait)
    wait.count += 1
  }
  let isLocked = false
  try {
    const result = await lock(stuck.length > 0)
    isLocked = true
    return result
  } finally {
    for (const { id, wait } of given) {
      wait.count -= 1
      if (isLocked) wait.since = performance.now()
      if (wait.count === 0) forget(id, wait, isLocked ? 0 : FORGOTTEN_AFTER_MS)
    }
  }
}

/** A caller that retries at once must not count as the first to wait. */
function forget(id: number, wait: Wait, after: number) {
  if (after > 0) setTimeout(() => wait.count === 0 && waits.get(id) === wait && waits.delete(id), after).unref()
  else if (waits.get(id) === wait) waits.delete(id)
}
