import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { maySeeAllRates } from '../../../access'
import type { BoardGrant } from '../../../boards/server/grants'
import type { Db } from '../../../db/client'
import { boardMembers, rates, timeEntries, users } from '../../../db/schema'
import { conflict, notFound } from '../../../server/errors'
import type { UserSummary } from '../../../users/schema'
import { summaryJson } from '../../../users/server/lookup'
import type { Rounding } from '../../report/schema'
import { RATES_MAX, type Rate, type RateChange } from '../schema'

/** Where someone's first rate begins: before all work. */
export const BEGINNING = '0001-01-01'

/** The rates that the viewer may see, which are all for the board's creator, and one's own for others. */
export async function readRates(db: Db, { viewer, board }: BoardGrant<'read'>): Promise<Rate[]> {
  const own = maySeeAllRates(viewer, board) ? undefined : eq(rates.userId, viewer.id)
  const rows = await db
    .select({ user: sql<UserSummary>`${summaryJson}`, from: rates.from, cents: rates.cents })
    .from(rates)
    .innerJoin(users, eq(users.id, rates.userId))
    .where(and(eq(rates.boardId, board.id), own))
    .orderBy(asc(rates.userId), asc(rates.from))
  return rows.map((rate) => ({ ...rate, from: rate.from === BEGINNING ? null : rate.from }))
}

/** Sets someone's rate from a day on, or takes it back; answers who is to be told. Throws NOT_FOUND, CONFLICT. */
export async function setRate(
  db: Db,
  { board }: BoardGrant<'rate'>,
  { userId, from: day, cents }: RateChange,
): Promise<number[]> {
  const from = day ?? BEGINNING
  const isMember = (await db.$count(boardMembers, and(eq(boardMembers.boardId, board.id), eq(boardMembers.userId, userId)))) > 0
  // Whoever left may have worked before, and that is invoiced still.
  const worked = and(eq(timeEntries.boardId, board.id), eq(timeEntries.userId, userId))
  if (!isMember && (await db.$count(timeEntries, worked)) === 0) throw notFound('Nobody of that number worked on this board')
  const ofPerson = and(eq(rates.boardId, board.id), eq(rates.userId, userId))
  if (cents === null) await db.delete(rates).where(and(ofPerson, eq(rates.from, from)))
  else {
    const others = await db.$count(rates, and(ofPerson, ne(rates.from, from)))
    if (others >= RATES_MAX) throw conflict(`At most ${RATES_MAX} rates of one person are kept.`)
    const target = [rates.boardId, rates.userId, rates.from]
    await db.insert(rates).values({ boardId: board.id, userId, from, cents }).onConflictDoUpdate({ target, set: { cents } })
  }
  return isMember ? [board.createdBy, userId] : [board.createdBy]
}

/** The rates that a viewer may see, whose they are, and how entries are rounded for them. */
export type Prices = { amounts: 'everyone' | 'own' | null; of: number; rounding: Rounding; rates: PersonsRate[] }
export const NO_PRICES: Prices = { amounts: null, of: 0, rounding: 0, rates: [] }
type PersonsRate = { userId: number; from: string; cents: number }

/** What amounts are made from. Where no rate is to be seen, it is the same for everyone. */
export async function pricesFor(db: Db, grant: BoardGrant<'read'>, rounding: Rounding): Promise<Prices> {
  const seen = await readRates(db, grant)
  if (seen.length === 0) return NO_PRICES
  const isEverything = maySeeAllRates(grant.viewer, grant.board)
  return {
    amounts: isEverything ? 'everyone' : 'own',
    of: isEverything ? 0 : grant.viewer.id,
    rounding,
    rates: seen.map(({ user, from, cents }) => ({ userId: user.id, from: from ?? BEGINNING, cents })),
  }
}

/**
 * What entries come to: the minutes of each that is billable are rounded up, and its amount once, half a cent up, in whole
 * numbers. Every sum is one of such amounts, and so equals that of the rows that are shown. The rates are those in
 * `prices`, so that nobody's sums can hold another one.
 */
export function priced({ amounts, of, rounding, rates: seen }: Prices) {
  const { userId, day, duration, status, billable } = timeEntries
  const whose = amounts === 'own' ? sql`and ${userId} = ${of}::int` : sql``
  const counts = amounts === null ? sql`false` : sql`${billable} and ${status} <> 'ACTIVE' ${whose}`
  const cents = amounts === null ? sql`null::int` : sql`rate.cents`
  const rounded =
    rounding === 0 ? sql`${duration}` : sql`(${duration} + ${rounding - 1}::int) / ${rounding}::int * ${rounding}::int`
  return {
    billed: sql<number>`case when ${counts} then ${rounded} else 0 end`,
    unrated: sql<number>`case when ${counts} and ${cents} is null then ${rounded} else 0 end`,
    rate: sql<number | null>`case when ${counts} then ${cents} end`,
    // A float that is a whole number, as either database hands it over; it is exact up to 90 billion dollars.
    cents: sql<number | null>`case when ${counts} then ((${rounded})::bigint * ${cents} + 30) / 60 end`,
    rates: sql`(select "userId", "from", cents, lead("from") over (partition by "userId" order by "from") as until
      from jsonb_to_recordset(${JSON.stringify(seen)}::text::jsonb) as seen("userId" int, "from" date, cents int)) as rate`,
    inForce: sql`rate."userId" = ${userId} and rate."from" <= ${day} and (rate.until is null or ${day} < rate.until)`,
  }
}

/** What an entry is invoiced as: its minutes, its rate, and what they come to. */
export type Price = { billed: number; rate: number | null; cents: number | null }
export const NO_PRICE: Price = { billed: 0, rate: null, cents: null }

/** The prices of some entries of a board, by their ids. */
export async function pricesOf(
  db: Db,
  { board }: BoardGrant<'read'>,
  prices: Prices,
  ids: number[],
): Promise<Map<number, Price>> {
  if (prices.amounts === null || ids.length === 0) return new Map()
  const { billed, rate, cents, rates, inForce } = priced(prices)
  const rows = await db
    .select({ id: timeEntries.id, billed, rate, cents: sql<number | null>`(${cents})::float8` })
    .from(timeEntries)
    .leftJoin(rates, inForce)
    // One parameter: a thousand take longer to write than to read.
    .where(and(eq(timeEntries.boardId, board.id), sql`${timeEntries.id} = any(${sql.param(ids)}::int[])`))
  return new Map(rows.map(({ id, ...price }) => [id, price]))
}
