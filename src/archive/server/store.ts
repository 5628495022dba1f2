import { and, desc, eq, gt, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/database'
import { backups } from '../../db/tables'

const HELD = sql`now() + interval '1 minute'`
const CUT_OFF = 'it was interrupted'
const isGood = isNotNull(backups.bytes)
const KEPT_ROWS = 100

/** Undefined if one is running or tonight's has begun. */
export const beginBackup = (db: Db, nightly?: { since: Date; failedBefore: Date }): Promise<number | undefined> =>
  db.transaction(async (transaction) => {
    await transaction.execute(sql`lock table ${backups} in exclusive mode`)
    const underWay = gt(backups.holdsUntil, sql`now()`)
    const isDone =
      nightly && and(backups.isNightly, gt(backups.begunAt, nightly.since), or(isGood, gt(backups.begunAt, nightly.failedBefore)))
    if ((await transaction.$count(backups, isDone ? or(underWay, isDone) : underWay)) > 0) return undefined
    const [begun] = await transaction
      .insert(backups)
      .values({ isNightly: nightly !== undefined, holdsUntil: HELD })
      .returning()
    const newestGood = sql`(select max(id) from ${backups} where bytes is not null)`
    await transaction
      .delete(backups)
      .where(and(lt(backups.id, (begun?.id ?? 0) - KEPT_ROWS), sql`${backups.id} is distinct from ${newestGood}`))
    return begun?.id
  })

export async function renewBackup(db: Db, id: number): Promise<boolean> {
  const held = await db
    .update(backups)
    .set({ holdsUntil: HELD })
    .where(and(eq(backups.id, id), gt(backups.holdsUntil, sql`now()`)))
    .returning({ id: backups.id })
  return held.length > 0
}

export async function noteInterruption(db: Db): Promise<void> {
  const over = { holdsUntil: null, endedAt: sql`now()`, error: CUT_OFF }
  await db.update(backups).set(over).where(isNotNull(backups.holdsUntil))
}

export type Outcome = { bytes: number } | { error: string }

export async function endBackup(db: Db, id: number, outcome: Outcome): Promise<void> {
  await db
    .update(backups)
    .set({ holdsUntil: null, endedAt: sql`now()`, ...outcome })
    .where(eq(backups.id, id))
}

type LastBackup = { at: Date; ok: boolean; bytes: number | null; error: string | null }

export async function lastBackup(db: Db): Promise<LastBackup | null> {
  const isOver = or(isNull(backups.holdsUntil), lte(backups.holdsUntil, sql`now()`))
  const [last] = await db.select().from(backups).where(isOver).orderBy(desc(backups.id)).limit(1)
  if (!last) return null
  const error = last.endedAt ? last.error : CUT_OFF
  return { at: last.endedAt ?? last.begunAt, ok: error === null, bytes: last.bytes, error }
}

/** When the last good one began, for monitoring its age. */
export async function lastGoodBackup(db: Db): Promise<Date | null> {
  const [last] = await db.select({ at: backups.begunAt }).from(backups).where(isGood).orderBy(desc(backups.id)).limit(1)
  return last?.at ?? null
}

export async function databaseBytes(db: Db): Promise<number> {
  const [size] = await db
    .select({ bytes: sql<number>`pg_database_size(current_database())::float8` })
    .from(sql`(select) as nothing`)
  return size?.bytes ?? 0
}
