import { eq, sql } from 'drizzle-orm'
import { lockBoard } from '../../../../boards/server/lookup'
import type { Db } from '../../../../db/database'
import { timeTotals } from '../../../../db/schema'

/** Compares all kept sums with the entries, in one statement a board, so at one moment; makes anew what differs. */
export async function checkTotals(db: Db): Promise<void> {
  const kept = await db.selectDistinct({ boardId: timeTotals.boardId }).from(timeTotals).where(eq(timeTotals.span, 0))
  for (const { boardId } of kept) {
    const wrong = await countWrong(db, boardId)
    if (wrong === 0) continue
    await db.transaction(async (transaction) => {
      await lockBoard(transaction, boardId)
      await transaction.execute(sql`select make_time_totals(${boardId}::int)`)
    })
    console.warn(`${wrong} time totals of board ${boardId} did not agree with its entries, and were made anew`)
  }
}

async function countWrong(db: Db, boardId: number): Promise<number> {
  const due = sql`(select * from time_sums where board_id = ${boardId})`
  const kept = sql`(select * from time_totals where board_id = ${boardId})`
  const pairs = sql`${due} due full join ${kept} kept using (board_id, span, day, user_id, task_id)`
  const [row] = await db.select({ wrong: sql<number>`count(*)::int` }).from(pairs).where(sql`due.* is distinct from kept.*`)
  return row?.wrong ?? 0
}
