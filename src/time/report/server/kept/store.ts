import { and, eq, sql } from 'drizzle-orm'
import { lockBoard } from '../../../../boards/server/lookup'
import type { Db } from '../../../../db/database'
import { timeTotals } from '../../../../db/schema'
import { log } from '../../../../log'
import { type Slice, slicesOf } from './slices/lookup'

/** On the embedded database nobody else is answered while a slice is compared. */
const PAUSE_MS = 5

/** Compares all kept sums with the entries, and makes those of a board anew that differ. */
export async function checkTotals(db: Db): Promise<void> {
  const kept = await db.selectDistinct({ boardId: timeTotals.boardId }).from(timeTotals).where(eq(timeTotals.span, 0))
  for (const { boardId } of kept) {
    const wrong = await countWrong(db, boardId)
    if (wrong === 0) continue
    await db.transaction(async (transaction) => {
      await lockBoard(transaction, boardId)
      await transaction.execute(sql`select make_time_totals(${boardId}::int)`)
    })
    log.warn(`${wrong} time totals of board ${boardId} did not agree with its entries, and were made anew`)
  }
}

async function countWrong(db: Db, boardId: number): Promise<number> {
  let wrong = 0
  for await (const slice of slicesOf(db, boardId)) {
    wrong += await countWrongIn(db, boardId, slice)
    await Bun.sleep(PAUSE_MS)
  }
  return wrong
}

/** In one statement, so at one moment: a change of the board is in both or in neither. */
export async function countWrongIn(db: Db, boardId: number, { sums, parts }: Slice): Promise<number> {
  const due = sql`(select distinct * from rolled_up(array(${parts})) as time_totals where ${sums})`
  const kept = sql`(select * from ${timeTotals} where ${and(eq(timeTotals.boardId, boardId), sums)})`
  const pairs = sql`${due} due full join ${kept} kept using (board_id, span, day, user_id, task_id)`
  const [row] = await db.select({ wrong: sql<number>`count(*)::int` }).from(pairs).where(sql`due.* is distinct from kept.*`)
  return row?.wrong ?? 0
}
