import { and, asc, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { mayOfferNames } from '../../../access'
import type { BoardGrant } from '../../../boards/server/grants'
import type { Db } from '../../../db/database'
import { nameOffers, users } from '../../../db/schema'
import { summaryOf } from '../../../users/schema'
import type { ImportedName } from '../../schema'
import type { AnswerGrant, OfferGrant } from './grants'
import { type Asked, findAsked, findWork, isNameOn } from './lookup'

/** All names of a board to its creator, and to others those about which they are asked themselves. */
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

/** In place of whom the creator named before; what they have answered stays. */
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

/** Returns the names of which the viewer had said something else, or nothing. */
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
