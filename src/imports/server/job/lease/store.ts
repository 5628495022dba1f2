import { and, asc, eq, isNull, lte, or, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/database'
import { imports } from '../../../../db/schema'
import { type ImportRow, type ProgressRow, progressColumns } from '../../lookup'

/** Until the first of it is written, which takes as long as a bucket needs to give the archive. */
const HELD_AT_FIRST = sql`now() + interval '5 minutes'`
const HELD = sql`now() + interval '30 seconds'`
const isRunning = sql`${imports.state} = 'running'`
const TRIES_MAX = 3
const CUT_OFF = 'The server was stopped in the middle of it several times.'

export type Held = ImportRow & { userId: number; holder: string }

/** The oldest that nobody is at: just started, or of a process that was killed. */
export async function holdNext(db: Db): Promise<Held | undefined> {
  const isFree = or(isNull(imports.heldUntil), lte(imports.heldUntil, sql`now()`))
  const next = db
    .select({ id: imports.id })
    .from(imports)
    .where(and(isRunning, isFree))
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
  if (!held) return undefined
  if (held.tries <= TRIES_MAX) return { ...held, holder: again.holder }
  await endHeld(db, { ...held, holder: again.holder }, CUT_OFF)
  return holdNext(db)
}

const isHeld = ({ id, holder }: Pick<Held, 'id' | 'holder'>) => and(eq(imports.id, id), eq(imports.holder, holder), isRunning)

/** Locked until the transaction ends; false where it was cancelled, or another process has it. */
export async function holdOn(db: Db, held: Held): Promise<boolean> {
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

/** Its board is nobody's then, and purged. Undefined where it was cancelled, or another process has it. */
export async function endHeld(db: Db, held: Held, error: string): Promise<ProgressRow | undefined> {
  const over = { state: 'failed' as const, error, boardId: null, holder: null, heldUntil: null }
  const [row] = await db
    .update(imports)
    .set({ ...over, changedAt: sql`now()` })
    .where(isHeld(held))
    .returning(progressColumns)
  return row
}

/** For another process, or after a start, to begin again: this one is told to stop. */
export const letGo = (db: Db, held: Held) =>
  db
    .update(imports)
    .set({ heldUntil: null, tries: sql`${imports.tries} - 1` })
    .where(isHeld(held))

/** Of the embedded database, which nobody else can have open. */
export const letGoOfAll = (db: Db) => db.update(imports).set({ heldUntil: null }).where(isRunning)
