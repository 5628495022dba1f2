import { and, eq, sql } from 'drizzle-orm'
import { maySeeAllRates } from '../../access'
import type { BoardGrant, OwnHoursGrant } from '../../boards/server/grants'
import type { Db } from '../../db/database'
import { timeEntries } from '../../db/tables'
import { FIRST_DAY, type Rounding } from '../schema'
import { readRates } from './rates.store'

/** The rates that a viewer may see, and how minutes are rounded; `ownerId` is set for viewers who see only their own amounts. */
export type Pricing = { amounts: 'everyone' | 'own' | null; ownerId: number; rounding: Rounding; rates: UserRate[] }
export const NO_PRICING: Pricing = { amounts: null, ownerId: 0, rounding: 0, rates: [] }
type UserRate = { userId: number; from: string; cents: number }

/** Without visible rates, nothing has an amount. */
export async function readPricing(db: Db, grant: BoardGrant<'read'> | OwnHoursGrant, rounding: Rounding): Promise<Pricing> {
  const visibleRates = await readRates(db, grant)
  if (visibleRates.length === 0) return NO_PRICING
  const seesAll = maySeeAllRates(grant.viewer, grant.board)
  return {
    amounts: seesAll ? 'everyone' : 'own',
    ownerId: seesAll ? 0 : grant.viewer.id,
    rounding,
    rates: visibleRates.map(({ user, from, cents }) => ({ userId: user.id, from: from ?? FIRST_DAY, cents })),
  }
}

/** Rounded once per entry in integers, so printed rows add up to their sum. Uses only rates that the reader may see. */
export function amountColumns({ amounts, ownerId, rounding, rates: visibleRates }: Pricing) {
  const { userId, day, duration, status, billable } = timeEntries
  const isOwn = amounts === 'own' ? sql`and ${userId} = ${ownerId}::int` : sql``
  const isPriced = amounts === null ? sql`false` : sql`${billable} and ${status} <> 'ACTIVE' ${isOwn}`
  const cents = amounts === null ? sql`null::int` : sql`rate.cents`
  const rounded =
    rounding === 0 ? sql`${duration}` : sql`(${duration} + ${rounding - 1}::int) / ${rounding}::int * ${rounding}::int`
  return {
    billed: sql<number>`case when ${isPriced} then ${rounded} else 0 end`,
    unrated: sql<number>`case when ${isPriced} and ${cents} is null then ${rounded} else 0 end`,
    rate: sql<number | null>`case when ${isPriced} then ${cents} end`,
    cents: sql<number | null>`case when ${isPriced} then ((${rounded})::bigint * ${cents} + 30) / 60 end`,
    rates: sql`(select "userId", "from", cents, lead("from") over (partition by "userId" order by "from") as until
      from jsonb_to_recordset(${JSON.stringify(visibleRates)}::text::jsonb) as seen("userId" int, "from" date, cents int)) as rate`,
    inForce: sql`rate."userId" = ${userId} and rate."from" <= ${day} and (rate.until is null or ${day} < rate.until)`,
  }
}

/** Billed minutes, cents per hour, and cents in total; null without a rate that the viewer may see. */
export type EntryAmount = { billed: number; rate: number | null; cents: number | null }
export const NO_AMOUNT: EntryAmount = { billed: 0, rate: null, cents: null }

export async function readAmounts(
  db: Db,
  { board }: BoardGrant<'read'> | OwnHoursGrant,
  pricing: Pricing,
  ids: number[],
): Promise<Map<number, EntryAmount>> {
  if (pricing.amounts === null || ids.length === 0) return new Map()
  const { billed, rate, cents, rates, inForce } = amountColumns(pricing)
  const rows = await db
    .select({ id: timeEntries.id, billed, rate, cents: sql<number | null>`(${cents})::float8` })
    .from(timeEntries)
    .leftJoin(rates, inForce)
    // One parameter, because a thousand take longer to write than the rows take to read.
    .where(and(eq(timeEntries.boardId, board.id), sql`${timeEntries.id} = any(${sql.param(ids)}::int[])`))
  return new Map(rows.map(({ id, ...amount }) => [id, amount]))
}
