import { setImmediate } from 'node:timers/promises'
import { getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/database'

type Query = PromiseLike<object[]> & SQLWrapper
export type Section = [name: string, pages: AsyncIterable<object[]>]

const PAGE_ROWS = 100

export async function* inPages(db: Db, id: PgColumn, rows: (page: SQL | undefined) => Query): AsyncGenerator<object[]> {
  // As one value, because fifty thousand rows take a driver half a second.
  const ids = sql<(number | string)[]>`coalesce(json_agg(found.id), '[]')`
  const [found] = await db.select({ ids }).from(sql`(${rows(undefined)}) as found`)
  const all = found?.ids ?? []
  for (let from = 0; from < all.length; from += PAGE_ROWS) {
    await setImmediate()
    const some = all.slice(from, from + PAGE_ROWS)
    yield await rows(sql`${id} = any(${sql.param(some)}::${sql.raw(id.getSQLType() === 'text' ? 'text' : 'int')}[])`)
  }
}

export async function* withoutIds(pages: AsyncIterable<object[]>): AsyncGenerator<object[]> {
  for await (const page of pages) yield page.map((row) => ({ ...row, id: undefined }))
}

export async function* whole(rows: PromiseLike<object[]>): AsyncGenerator<object[]> {
  yield await rows
}

export function columnsExcept<Table extends PgTable, Hidden extends keyof Table['_']['columns'] & string>(
  table: Table,
  ...hidden: Hidden[]
) {
  const shown = Object.entries(getTableColumns(table)).filter(([name]) => !hidden.some((one) => one === name))
  // fromEntries forgets the names.
  return Object.fromEntries(shown) as Omit<Table['_']['columns'], Hidden>
}
