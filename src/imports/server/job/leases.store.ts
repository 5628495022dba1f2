import { and, asc, eq, gt, isNotNull, isNull, lte, notExists, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/database'
import { imports } from '../../../db/tables'
import { type ImportRow, type ProgressRow, progressColumns } from '../lookup'

/** Long enough for a bucket to deliver the archive. */
const HELD_AT_FIRST = sql`now() + interval '5 minutes'`
const HELD = sql`now() + interval '30 seconds'`
const isRunning = sql`${imports.state} = 'running'`

export type Held = ImportRow & { userId: number; holder: string }

/** The oldest import that no process holds, of a user with no other under way. In a transaction. */
export async function claimOldest(db: Db): Promise<Held | undefined> {
  // Two processes at once would start two imports of one user.
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended('imports', 0))`)
  const isFree = or(isNull(imports.heldUntil), lte(imports.heldUntil, sql`now()`))
  const other = alias(imports, 'other')
  const isUnderWay = and(eq(other.userId, imports.userId), eq(other.state, 'running'), gt(other.heldUntil, sql`now()`))
  const noOther = notExists(db.select({ id: other.id }).from(other).where(isUnderWay))
  const next = db
    .select({ id: imports.id })
    .from(imports)
    .where(and(isRunning, isFree, noOther))
    .orderBy(asc(imports.id))
    .limit(1)
    .for('update', { skipLocked: true })
  const again = {
    holder: crypto.randomUUID(),
    heldUntil: HELD_AT_FIRST,
    tries: sql`${imports.tries} + 1`,
    boardId: null,
    done: 0,
  }
  const [held] = await db.update(imports).set(again).where(eq(imports.id, next)).returning()
  return held && { ...held, holder: again.holder }
}

const isHeld = ({ id, holder }: Pick<Held, 'id' | 'holder'>) => and(eq(imports.id, id), eq(imports.holder, holder), isRunning)

export async function lockHeld(db: Db, held: Held): Promise<boolean> {
  const rows = await db.select({ id: imports.id }).from(imports).where(isHeld(held)).for('update')
  return rows.length > 0
}

export async function noteProgress(
  db: Db,
  held: Held,
  changes: Partial<typeof imports.$inferInsert>,
): Promise<ProgressRow | undefined> {
  const [row] = await db
    .update(imports)
    .set({ ...changes, heldUntil: HELD, changedAt: sql`now()` })
    .where(isHeld(held))
    .returning(progressColumns)
  return row
}

/** Called while the import waits (for memory, another server) and writes nothing; does nothing once it has been released. */
export const renewLease = (db: Db, held: Held) =>
  db
    .update(imports)
    .set({ heldUntil: sql`greatest(${imports.heldUntil}, ${HELD})` })
    .where(and(isHeld(held), isNotNull(imports.heldUntil)))

/** Its board belongs to nobody then and is purged. Undefined if it was cancelled or another process holds it. */
export async function failHeld(db: Db, held: Held, error: string): Promise<ProgressRow | undefined> {
  const over = { state: 'failed' as const, error, boardId: null, holder: null, heldUntil: null }
  const [row] = await db
    .update(imports)
    .set({ ...over, changedAt: sql`now()` })
    .where(isHeld(held))
    .returning(progressColumns)
  return row
}

/** On shutdown: another process may take it at once. */
export const releaseLease = (db: Db, held: Held) =>
  db
    .update(imports)
    .set({ heldUntil: null, tries: sql`${imports.tries} - 1` })
    .where(isHeld(held))

/** Only for the embedded database, which no other process has open. */
export const releaseAllLeases = (db: Db) => db.update(imports).set({ heldUntil: null }).where(isRunning)
