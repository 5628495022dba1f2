import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { maySeeAllRates } from '../../access'
import type { BoardGrant, OwnHoursGrant } from '../../boards/server/grants'
import type { Db } from '../../db/database'
import { boardMembers, rates, timeEntries, users } from '../../db/tables'
import { conflict, notFound } from '../../server/errors'
import type { UserSummary } from '../../users/schema'
import { summaryJson } from '../../users/server/lookup'
import { FIRST_DAY, RATES_MAX, type Rate, type RateChange } from '../schema'

export async function readRates(db: Db, { viewer, board }: BoardGrant<'read'> | OwnHoursGrant): Promise<Rate[]> {
  const own = maySeeAllRates(viewer, board) ? undefined : eq(rates.userId, viewer.id)
  const rows = await db
    .select({ user: sql<UserSummary>`${summaryJson}`, from: rates.from, cents: rates.cents })
    .from(rates)
    .innerJoin(users, eq(users.id, rates.userId))
    .where(and(eq(rates.boardId, board.id), own))
    .orderBy(asc(rates.userId), asc(rates.from))
  return rows.map((rate) => ({ ...rate, from: rate.from === FIRST_DAY ? null : rate.from }))
}

/** Sets or removes a rate; returns the ids of the users who may see it. Throws NOT_FOUND, CONFLICT. */
export async function setRate(
  db: Db,
  { board }: BoardGrant<'rate'>,
  { userId, from: day, cents }: RateChange,
): Promise<number[]> {
  const from = day ?? FIRST_DAY
  const isMember = (await db.$count(boardMembers, and(eq(boardMembers.boardId, board.id), eq(boardMembers.userId, userId)))) > 0
  const worked = and(eq(timeEntries.boardId, board.id), eq(timeEntries.userId, userId))
  const ofUser = and(eq(rates.boardId, board.id), eq(rates.userId, userId))
  // A former member's work is still invoiced, and their rates can be removed.
  const isKnown =
    isMember || (await db.$count(timeEntries, worked)) > 0 || (cents === null && (await db.$count(rates, ofUser)) > 0)
  if (!isKnown) throw notFound('This person has not logged time on this board')
  if (cents === null) await db.delete(rates).where(and(ofUser, eq(rates.from, from)))
  else {
    const others = await db.$count(rates, and(ofUser, ne(rates.from, from)))
    if (others >= RATES_MAX) throw conflict(`A person can have at most ${RATES_MAX} rates.`)
    const target = [rates.boardId, rates.userId, rates.from]
    await db.insert(rates).values({ boardId: board.id, userId, from, cents }).onConflictDoUpdate({ target, set: { cents } })
  }
  return isMember ? [board.createdBy, userId] : [board.createdBy]
}
