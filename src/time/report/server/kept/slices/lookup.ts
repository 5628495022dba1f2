import { and, eq, gt, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../../../db/database'
import { timeEntries, timeTotals } from '../../../../../db/schema'

const ENTRIES_AT_A_TIME = 1_000
const SLICES_MAX = 100

const { boardId, span, day, userId, taskId } = timeTotals

/** Sums, and all of what they are made of: entries, or sums of a shorter time or of fewer people. */
export type Slice = { sums: SQL | undefined; parts: SQL }

/** All sums of a board, in slices small enough that nobody waits for long while one is read. */
export async function* slicesOf(db: Db, id: number): AsyncGenerator<Slice> {
  const entriesWhere = (of: SQL) =>
    sql`select amounts from time_entries e, time_amounts(e, 1) amounts where e.board_id = ${id} and ${of}`
  const keptWhere = (of: SQL | undefined) => sql`select time_totals from time_totals where ${and(eq(boardId, id), of)}`
  for await (const { first, next } of periodsOf(db, id, 8)) {
    const parts = entriesWhere(sql`e.day >= ${first} and e.day < ${next}`)
    yield { sums: and(inArray(span, [1, 8]), gte(day, first), lt(day, next)), parts }
  }
  for await (const { first, next } of periodsOf(db, id, 64)) {
    const during = and(gte(day, first), lt(day, next))
    yield { sums: and(eq(span, 64), during, sql`${userId} + ${taskId} > 0`), parts: keptWhere(and(eq(span, 8), during)) }
  }
  for (const { person, entries } of await peopleOf(db, id)) {
    const count = Math.min(Math.ceil(entries / ENTRIES_AT_A_TIME), SLICES_MAX)
    const ofPerson = and(eq(span, 0), eq(userId, person))
    for (let nth = 0; nth < count; nth++) {
      const some = sql`task_id % ${count} = ${nth}`
      const parts =
        person === 0
          ? keptWhere(and(eq(span, 0), gt(userId, 0), gt(taskId, 0), some))
          : entriesWhere(sql`e.user_id = ${person} and e.${some}`)
      yield { sums: and(ofPerson, gt(taskId, 0), some), parts }
    }
    yield { sums: and(ofPerson, sql`${taskId} = 0`), parts: keptWhere(and(ofPerson, gt(taskId, 0))) }
  }
}

type Days = { first: string; next: string }

/** Those of this length that have entries or sums. */
async function* periodsOf(db: Db, id: number, length: number): AsyncGenerator<Days> {
  for (let next = '-infinity'; ; ) {
    const earliest = [1, 8, 64].map(
      (days) => sql`(select min(day) from ${timeTotals} where ${boardId} = ${id} and ${span} = ${days} and ${day} >= ${next})`,
    )
    const entered = sql`(select min(day) from ${timeEntries} where board_id = ${id} and day >= ${next})`
    const start = sql`period_of(least(${entered}, ${sql.join(earliest, sql`, `)}), ${length}::int)`
    const [days] = await db
      .select({ first: sql<string | null>`start::text`, next: sql<string>`(start + ${length}::int)::text` })
      .from(sql`(select ${start} as start) as period`)
    if (!days?.first) return
    yield { first: days.first, next: days.next }
    next = days.next
  }
}

/** With how many entries, as far as is known; 0 is all people. */
function peopleOf(db: Db, id: number) {
  return db
    .select({ person: userId, entries: sql<number>`greatest(max(${timeTotals.entries}), 1)` })
    .from(timeTotals)
    .where(and(eq(boardId, id), inArray(span, [0, 64]), sql`${taskId} = 0`))
    .groupBy(userId)
}
