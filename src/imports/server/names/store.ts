import { and, asc, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { mayOfferNames } from '../../../access'
import type { BoardGrant } from '../../../boards/server/grants'
import { bumpVersion, moveWork } from '../../../boards/server/store'
import type { Db } from '../../../db/database'
import { nameOffers, users } from '../../../db/tables'
import { summaryOf } from '../../../users/schema'
import type { ImportedName } from '../../schema'
import type { AnswerGrant, MoveGrant, OfferGrant } from './grants'
import { type Asked, findAsked, findWork, isNameOn } from './lookup'

/** All names for the board's creator; for others, those they are asked about. */
export async function listNames(db: Db, { viewer, board }: BoardGrant<'read'>): Promise<ImportedName[]> {
  const isAll = mayOfferNames(viewer, board)
  const asked = await findAsked(db, board.id, isAll ? {} : { userId: viewer.id })
  if (!isAll && asked.length === 0) return []
  const own = inArray(users.id, [...new Set(asked.map(({ nameId }) => nameId))])
  const names = await db
    .select({ user: summaryOf(users), email: users.importedEmail })
    .from(users)
    .where(and(isNameOn(board.id), isAll ? undefined : own))
    .orderBy(asc(users.id))
  const byName = Map.groupBy(asked, ({ nameId }) => nameId)
  const isOpen = ({ userId, answer }: Asked) => userId === viewer.id && answer !== 'yes'
  const work = await findWork(
    db,
    board.id,
    asked.filter(isOpen).map(({ nameId }) => nameId),
  )
  return names.map(({ user, email }) => ({
    user,
    email: isAll ? email : null,
    asked: byName.get(user.id)?.map(({ nameId: _, ...one }) => one) ?? [],
    work: work.get(user.id) ?? null,
  }))
}

export async function offerName(db: Db, { nameId, userId }: OfferGrant): Promise<void> {
  const others = and(eq(nameOffers.nameId, nameId), userId === null ? undefined : ne(nameOffers.userId, userId))
  await db.delete(nameOffers).where(and(others, isNull(nameOffers.answer)))
  await db.update(nameOffers).set({ offered: false }).where(others)
  if (userId === null) return
  const target = [nameOffers.nameId, nameOffers.userId]
  await db
    .insert(nameOffers)
    .values({ nameId, userId, offered: true })
    .onConflictDoUpdate({ target, set: { offered: true } })
}

export async function answerNames(db: Db, { nameIds, viewer }: AnswerGrant, isMine: boolean): Promise<number[]> {
  const answer = isMine ? ('yes' as const) : ('no' as const)
  const target = [nameOffers.nameId, nameOffers.userId]
  const rows = await db
    .insert(nameOffers)
    .values(nameIds.map((nameId) => ({ nameId, userId: viewer.id, offered: false, answer })))
    .onConflictDoUpdate({ target, set: { answer }, setWhere: sql`${nameOffers.answer} is distinct from ${answer}` })
    .returning({ nameId: nameOffers.nameId })
  return rows.map(({ nameId }) => nameId)
}

/** More would block the embedded database for everyone. */
const MOVED_AT_ONCE = 2_000

/** Moves some of a name's work to its user; true once all is moved. Raises the version, so that open pages reread the board. */
export async function moveSome(db: Db, grant: MoveGrant): Promise<boolean> {
  await bumpVersion(db, grant)
  const move = { boardId: grant.board.id, from: grant.nameId, to: grant.viewer.id }
  if ((await moveWork(db, move, { most: MOVED_AT_ONCE })) >= MOVED_AT_ONCE) return false
  await db.delete(users).where(eq(users.id, grant.nameId))
  return true
}
