import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { isLocked } from '../../access'
import type { Db } from '../../db/database'
import { type Given, prepared } from '../../db/prepared'
import { boardMembers, boards } from '../../db/schema'
import { notFound, unauthorized } from '../../server/errors'
import type { AnnounceGrant, Granted } from '../../server/granted'
import type { SignedIn } from '../../server/signedIn'
import type { UserSummary } from '../../users/schema'
import { findSummary, lockAccount, summaryJson } from '../../users/server/lookup'
import type { Arrangement, Board, BoardChanges, BoardListItem, NewBoard } from '../schema'
import type { BoardGrant, HandOverGrant, MemberGrant } from './grants'
import { boardColumns, type CreatedBoardId, createdBy, mayHaveAnotherBoard, notDeleted } from './lookup'

const nextVersion = { version: sql`${boards.version} + 1` }

const raiseVersion = prepared((db, { id, userIds }: Given<{ id: number; userIds: number[] }>) =>
  db
    .update(boards)
    .set(nextVersion)
    .where(eq(boards.id, id))
    .returning({
      version: boards.version,
      members: sql<number[]>`(select coalesce(json_agg(user_id), '[]') from board_members
        where board_id = boards.id and user_id = any(${userIds}::int[]))`,
    }),
)

/** The new version, and who of `userIds` are members. */
export async function bumpVersion(db: Db, { board: { id } }: AnnounceGrant, userIds: number[] = []) {
  const [row] = await raiseVersion(db, { id, userIds })
  if (!row) throw new Error(`board ${id} went away while it was locked`)
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

const selectBoards = prepared((db, { userId }: Given<{ userId: number }>) =>
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
    .orderBy(asc(boards.id)),
)

export async function listBoards(db: Db, viewer: SignedIn): Promise<BoardListItem[]> {
  const rows = await selectBoards(db, { userId: viewer.id })
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

/** Boards of which one is no member, or that are named twice, are passed over. Throws UNAUTHORIZED. */
export async function arrangeBoards(db: Db, viewer: SignedIn, { pinned, others }: Arrangement): Promise<void> {
  // Two orders at once would lock the rows of each other's.
  if (!(await lockAccount(db, viewer.id))) throw unauthorized()
  const ids = [...new Set([...pinned, ...others])]
  await db.execute(sql`
    update board_members set place = given.place, pinned = given.place <= ${new Set(pinned).size}
    from unnest(${sql.param(ids)}::int[]) with ordinality as given (board_id, place)
    where board_members.board_id = given.board_id and board_members.user_id = ${viewer.id}`)
}

/** Null if the viewer's plan allows no further board. */
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

const selectBoard = prepared((db, { id }: Given<{ id: number }>) =>
  db
    .select({
      name: boards.name,
      description: boards.description,
      version: boards.version,
      createdBy,
      createdAt: boards.createdAt,
      importedAt: boards.importedAt,
      members: sql<UserSummary[]>`(
        select coalesce(json_agg(${summaryJson} order by board_members.id), '[]')
        from board_members join users on users.id = board_members.user_id where board_members.board_id = boards.id)`,
    })
    .from(boards)
    .where(and(eq(boards.id, id), notDeleted)),
)

/** Throws NOT_FOUND if the board was deleted after the grant. */
export async function readBoard(db: Db, { board: { id } }: BoardGrant<'read'>): Promise<Board> {
  const [row] = await selectBoard(db, { id })
  if (!row) throw notFound('Board not found')
  const creator = { id: row.createdBy }
  const moments = { createdAt: row.createdAt.toISOString(), importedAt: row.importedAt?.toISOString() ?? null }
  return { id, creator, ...row, memberCount: row.members.length, ...moments }
}

export async function updateBoard(db: Db, { board }: BoardGrant<'edit'>, changes: BoardChanges) {
  const updates = {
    name: changes.name ?? board.name,
    description: changes.description === undefined ? board.description : changes.description,
  }
  if (updates.name === board.name && updates.description === board.description) return { updates, changed: false }
  await db.update(boards).set(updates).where(eq(boards.id, board.id))
  return { updates, changed: true }
}

/** Undefined for who is a member already. The insert waits for a change of their name under way, so that is read after it. */
export async function addMember(db: Db, { board }: BoardGrant<'change'>, userId: number): Promise<UserSummary | undefined> {
  const rows = await db.insert(boardMembers).values({ boardId: board.id, userId }).onConflictDoNothing().returning()
  return rows.length > 0 ? findSummary(db, userId) : undefined
}

export async function handOverBoard(db: Db, { board, userId }: HandOverGrant): Promise<void> {
  await db.update(boards).set({ createdBy: userId }).where(eq(boards.id, board.id))
  const membership = and(eq(boardMembers.boardId, board.id), eq(boardMembers.userId, userId))
  // As if they came now, so that it counts as their last board.
  await db.update(boardMembers).set({ addedAt: sql`now()` }).where(membership)
}

/** Ends the user's assignments on the board too, by a cascade; false if they are no member. */
export async function removeMember(db: Db, { board, memberId }: MemberGrant): Promise<boolean> {
  const rows = await db
    .delete(boardMembers)
    .where(and(eq(boardMembers.boardId, board.id), eq(boardMembers.userId, memberId)))
    .returning()
  return rows.length > 0
}
