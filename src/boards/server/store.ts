import { and, asc, eq, getTableName, inArray, not, type SQL, sql } from 'drizzle-orm'
import { isLocked } from '../../access'
import { CONTRIBUTIONS, isOnBoard } from '../../db/contributions'
import type { Db } from '../../db/database'
import { runOn } from '../../db/statements'
import { activities, boardMembers, boards, leftBoards } from '../../db/tables'
import { listText } from '../../format'
import type { Services } from '../../server/context'
import { notFound, unauthorized } from '../../server/errors'
import type { AnnounceGrant, Granted, SignedIn } from '../../server/signedIn'
import { displayName, type UserSummary } from '../../users/schema'
import { findSummary, lockAccount, summaryJson } from '../../users/server/lookup'
import type { NewActivity } from '../activity'
import type { Arrangement, Board, BoardChanges, BoardListItem, NewBoard } from '../schema'
import type { BoardGrant, HandOverGrant, MemberGrant } from './grants'
import { boardColumns, type CreatedBoardId, createdBy, mayHaveAnotherBoard, notDeleted } from './lookup'

const nextVersion = { version: sql`${boards.version} + 1` }

export async function bumpVersion(db: Db, { board: { id } }: AnnounceGrant, userIds: number[] = []) {
  const [row] = await db
    .update(boards)
    .set(nextVersion)
    .where(eq(boards.id, id))
    .returning({
      version: boards.version,
      members: sql<number[]>`(select coalesce(json_agg(user_id), '[]') from board_members
        where board_id = boards.id and user_id = any(${sql.param(userIds)}::int[]))`,
    })
  if (!row) throw new Error(`board ${id} was deleted while it was being locked`)
  return row
}

export async function bumpVersions(
  db: Db,
  grants: Granted<{ board: { id: number } }, 'announce'>[],
): Promise<{ id: number; version: number; members: number[] }[]> {
  const rows = await db
    .update(boards)
    .set(nextVersion)
    .where(
      inArray(
        boards.id,
        grants.map(({ board }) => board.id),
      ),
    )
    .returning({
      id: boards.id,
      version: boards.version,
      // Drizzle omits table names in `returning`.
      members: sql<number[]>`(select coalesce(json_agg(user_id), '[]') from board_members where board_id = boards.id)`,
    })
  return rows.toSorted((a, b) => a.id - b.id)
}

/** Called by `announce`, so that every logged change is announced. */
export async function logActivities(db: Db, { board, viewer }: AnnounceGrant, events: NewActivity[]): Promise<void> {
  const ofViewer = { boardId: board.id, userId: viewer.id, taskId: null, taskTitle: null }
  const logged = events.map((event) => ({ ...ofViewer, ...event }))
  if (logged.length > 0) await db.insert(activities).values(logged)
}

const selectBoards = (db: Db, userId: number) =>
  db
    .select({
      ...boardColumns,
      memberCount: sql<number>`(select count(*)::int from board_members where board_id = ${boards.id})`,
      nameCount: sql<number>`case when ${boards.importedAt} is null then 0 else (
        select count(*)::int from board_members m join users name on name.id = m.user_id
        where m.board_id = ${boards.id} and name.imported_on is not null) end`,
      pinned: boardMembers.pinned,
      place: boardMembers.place,
    })
    .from(boards)
    .innerJoin(boardMembers, and(eq(boardMembers.boardId, boards.id), eq(boardMembers.userId, userId)))
    .where(notDeleted)
    .orderBy(asc(boards.id))

export async function listBoards(db: Db, viewer: SignedIn): Promise<BoardListItem[]> {
  const rows = await selectBoards(db, viewer.id)
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    description: row.description,
    createdBy: row.createdBy,
    memberCount: row.memberCount,
    nameCount: row.nameCount,
    createdAt: row.createdAt.toISOString(),
    locked: isLocked(viewer, row),
    pinned: row.pinned,
    place: row.place,
  }))
}

export async function arrangeBoards(db: Db, viewer: SignedIn, { pinned, others }: Arrangement): Promise<void> {
  // Two calls at once could deadlock, as could a call and a removal, whose row needs the account's key.
  if (!(await lockAccount(db, viewer.id, 'no key update'))) throw unauthorized()
  const ids = [...new Set([...pinned, ...others])]
  await db.execute(sql`
    update board_members set place = given.place, pinned = given.place <= ${new Set(pinned).size}
    from unnest(${sql.param(ids)}::int[]) with ordinality as given (board_id, place)
    where board_members.board_id = given.board_id and board_members.user_id = ${viewer.id}`)
}

export async function insertBoard(db: Db, viewer: SignedIn, given: NewBoard): Promise<CreatedBoardId | null> {
  if (!(await mayHaveAnotherBoard(db, viewer))) return null
  const [row] = await db
    .insert(boards)
    .values({ name: given.name, description: given.description ?? null, createdBy: viewer.id })
    .returning({ id: boards.id })
  if (!row) throw new Error('the new board was not returned')
  await db.insert(boardMembers).values({ boardId: row.id, userId: viewer.id })
  return row.id as CreatedBoardId
}

const selectBoard = (db: Db, id: number) =>
  db
    .select({
      name: boards.name,
      description: boards.description,
      version: boards.version,
      createdBy,
      createdAt: boards.createdAt,
      importedAt: boards.importedAt,
      inviteLinks: boards.inviteLinks,
      members: sql<UserSummary[]>`(
        select coalesce(json_agg(${summaryJson} order by board_members.id), '[]')
        from board_members join users on users.id = board_members.user_id where board_members.board_id = boards.id)`,
    })
    .from(boards)
    .where(and(eq(boards.id, id), notDeleted))

/** Throws NOT_FOUND if the board was deleted after the grant. */
export async function readBoard(db: Db, { board: { id } }: BoardGrant<'read'>): Promise<Board> {
  const [row] = await selectBoard(db, id)
  if (!row) throw notFound('Board not found')
  const creator = { id: row.createdBy }
  const moments = { createdAt: row.createdAt.toISOString(), importedAt: row.importedAt?.toISOString() ?? null }
  return { id, creator, ...row, memberCount: row.members.length, ...moments }
}

export async function updateBoard(db: Db, { board }: BoardGrant<'edit'>, changes: BoardChanges) {
  const updates = {
    name: changes.name ?? board.name,
    description: changes.description === undefined ? board.description : changes.description,
    inviteLinks: changes.inviteLinks ?? board.inviteLinks,
  }
  const fields = ['name', 'description', 'inviteLinks'] as const
  if (fields.every((field) => updates[field] === board[field])) return { updates, changed: false }
  await db.update(boards).set(updates).where(eq(boards.id, board.id))
  return { updates, changed: true }
}

/** Undefined for a member. The insert waits for a rename under way, so the name is read after it. */
export async function addMember(db: Db, { board }: BoardGrant<'change'>, userId: number): Promise<UserSummary | undefined> {
  const rows = await db.insert(boardMembers).values({ boardId: board.id, userId }).onConflictDoNothing().returning()
  await forgetLeaving(db, board.id, userId)
  return rows.length > 0 ? findSummary(db, userId) : undefined
}

export async function handOverBoard(db: Db, { board, userId }: HandOverGrant): Promise<void> {
  await db.update(boards).set({ createdBy: userId }).where(eq(boards.id, board.id))
  const membership = and(eq(boardMembers.boardId, board.id), eq(boardMembers.userId, userId))
  // So that it counts as their last board.
  await db.update(boardMembers).set({ addedAt: sql`now()` }).where(membership)
}

/** Throws CONFLICT if boards that were just handed over do not fit into the account. */
export async function assertHandedOverFits(
  { db, services: { accountQuota } }: { db: Db; services: Pick<Services, 'accountQuota'> },
  to: Pick<UserSummary, 'id' | 'username' | 'name'>,
  received: { name: string }[],
): Promise<void> {
  const names = listText(received.map(({ name }) => `“${name}”`))
  const [are, them, some] = received.length > 1 ? ['do', 'them', 'some of them'] : ['does', 'it', 'some of its tasks or files']
  const message = `${names} ${are} not fit in ${displayName(to)}’s storage (${accountQuota.size}). Nothing was changed. Hand ${them} over to someone else, or delete ${some} first.`
  await accountQuota.assertWithin(db, to.id, message)
}

export const forgetLeaving = (db: Db, boardId: number, userId: number) =>
  db.delete(leftBoards).where(and(eq(leftBoards.boardId, boardId), eq(leftBoards.userId, userId)))

/** Also ends their assignments, by a cascade; false if they are not a member. */
export async function removeMember(db: Db, { viewer, board, memberId }: MemberGrant): Promise<boolean> {
  const rows = await db
    .delete(boardMembers)
    .where(and(eq(boardMembers.boardId, board.id), eq(boardMembers.userId, memberId)))
    .returning()
  // With the board locked this clock orders removals and invitations as they happened.
  const going = { removed: viewer.id !== memberId, leftAt: sql`clock_timestamp()` }
  if (rows.length > 0)
    await db
      .insert(leftBoards)
      .values({ boardId: board.id, userId: memberId, ...going })
      .onConflictDoUpdate({ target: [leftBoards.boardId, leftBoards.userId], set: going })
  return rows.length > 0
}

export async function hasLeft(db: Db, { board }: BoardGrant<'change'>, userId: number): Promise<boolean> {
  const left = and(eq(leftBoards.boardId, board.id), eq(leftBoards.userId, userId), not(leftBoards.removed))
  return (await db.$count(leftBoards, left)) > 0
}

export type Move = { boardId: number; from: number; to: number }

/** Without `content`, what users may have deleted with their account stays. */
type Options = { most?: number; content?: boolean }

const ALL = 2 ** 31 - 1

/** Gives one user's work on a board to another, at most `most` rows. Returns how many. Needs the board's lock. */
export async function moveWork(db: Db, move: Move, { most = ALL, content = true }: Options = {}): Promise<number> {
  const run = runOn(db)
  // Rates before hours, so that hours keep their value.
  await run(sql`insert into rates (board_id, user_id, from_day, cents)
    select board_id, ${move.to}::int, from_day, cents from rates where board_id = ${move.boardId} and user_id = ${move.from}
    on conflict do nothing`)
  let moved = 0
  const work = CONTRIBUTIONS.filter(({ isContent }) => content || !isContent)
  const workSteps = work.map((one) => renamed(getTableName(one.table), 'user_id', isOnBoard(one, move.boardId)))
  for (const step of [...STEPS, ...workSteps]) {
    if (moved >= most) break
    const [one] = await run(sql`with moved as (${step(move, most - moved)} returning 1) select count(*)::int from moved`)
    moved += Number(one?.count)
  }
  return moved
}

/** In updates `= any(array(…))`, because Postgres does not know that a subquery is short, and reads whole tables. */
type Step = (move: Move, most: number) => SQL

const renamed =
  (table: string, column: string, isThere?: SQL): Step =>
  ({ boardId, from, to }, most) => {
    const [rows, whose] = [sql.identifier(table), sql.identifier(column)]
    return sql`update ${rows} set ${whose} = ${to}::int
      where id = any(array(
        select id from ${rows} where ${whose} = ${from} and ${isThere ?? sql`board_id = ${boardId}`} limit ${most}))`
  }

const STEPS: Step[] = [
  ({ boardId, from, to }, most) => sql`update task_assignees set user_id = ${to}::int where id in (
    select id from task_assignees mine where board_id = ${boardId} and user_id = ${from}
      and not exists (select 1 from task_assignees theirs where theirs.task_id = mine.task_id and theirs.user_id = ${to})
      and exists (select 1 from board_members where board_id = ${boardId} and user_id = ${to})
    limit ${most})`,
  renamed('tasks', 'created_by'),
  renamed('tasks', 'deleted_by'),
  renamed('notifications', 'actor_id'),
  ({ boardId, from, to }, most) => sql`update activities set detail = jsonb_set(detail, '{userId}', to_jsonb(${to}::int))
    where id = any(array(
      select id from activities where board_id = ${boardId} and (detail ->> 'userId')::int = ${from} limit ${most}))`,
]
