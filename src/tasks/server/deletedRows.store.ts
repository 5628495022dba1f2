import { and, eq, getTableName, not, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../../db/database'
import { deletedRows } from '../../db/tables'
import type { RowGrant, RowKind } from './grants'
import { deletedJustNow } from './lookup'

/** Rows of one table, each with a `user_id`. The other parts belong to the first. */
export type Part = { table: PgTable; where: SQL | undefined }

type Deleted = { kind: RowKind; rowId: number; taskId: number; userId: number }

/** Deletes the first part with all that belongs to it, and keeps a copy for a while. */
export async function trashRows(db: Db, deleted: Deleted, parts: Part[]): Promise<void> {
  const rows = parts.map(
    ({ table, where }) =>
      sql`${getTableName(table)}::text, (select coalesce(jsonb_agg(to_jsonb(${table})), '[]') from ${table} where ${where})`,
  )
  await db.insert(deletedRows).values({ ...deleted, rows: sql`jsonb_build_object(${sql.join(rows, sql`, `)})` })
  const [first] = parts
  if (first) await db.delete(first.table).where(first.where)
}

/** Restores all but rows of deleted accounts. */
export async function untrashRows(db: Db, { kind, rowId }: RowGrant<RowKind>, parts: Part[]): Promise<void> {
  const deleted = and(eq(deletedRows.kind, kind), eq(deletedRows.rowId, rowId))
  for (const { table } of parts)
    await db.execute(sql`
      insert into ${table} overriding system value
      select kept.* from ${deletedRows}
      cross join lateral jsonb_populate_recordset(null::${table}, ${deletedRows.rows} -> ${getTableName(table)}::text) as kept
      where ${deleted} and exists (select from users where users.id = kept.user_id)`)
  await db.delete(deletedRows).where(deleted)
}

export const purgeRowsEarly = async (db: Db, userId: number): Promise<boolean> =>
  (await db.delete(deletedRows).where(eq(deletedRows.userId, userId)).returning({ id: deletedRows.id })).length > 0

export const purgeDeletedRows = (db: Db) => db.delete(deletedRows).where(not(deletedJustNow(deletedRows.deletedAt)))
