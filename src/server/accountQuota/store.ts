import { setImmediate } from 'node:timers/promises'
import { getTableName, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import { CONTRIBUTIONS, type Contribution, isOnBoard } from '../../db/contributions'
import type { Db } from '../../db/database'
import * as schema from '../../db/tables'

const { users, boards, imports, tasks, comments, leftBoards } = schema

// As arrays: Postgres does not know that a subquery is short, and reads whole tables.
const ownBoards = (userId: number) => sql`any(array(
  select id from ${boards} where created_by = ${userId}
  union all select board_id from ${imports} where user_id = ${userId} and state = 'running'))`
/** The user, and people without an account on their boards. */
const people = (userId: number) => sql`any(array(
  select ${userId}::integer
  union all select id from ${users} where imported_on is not null and imported_on = ${ownBoards(userId)}))`
const ownComments = (userId: number) => sql`any(array(select id from ${comments} where user_id = ${people(userId)}))`

type Counted = { table: PgTable; where: (userId: number) => SQL; fileBytes?: SQL }

type Written = Pick<Contribution, 'on' | 'fileBytes'> & { table: PgTable; author: PgColumn }

/** What the account wrote, except on boards that removed it; plus what removed members left on its own boards. */
function written({ table, author, on, ...counted }: Written): Counted[] {
  const name = sql.identifier(getTableName(table))
  const removedFrom = (userId: number) =>
    sql`any(array(select board_id from ${leftBoards} where user_id = ${userId} and removed))`
  const onTheirBoard =
    on === 'board'
      ? sql`gone.board_id = ${name}.board_id`
      : sql`gone.board_id = (select board_id from ${tasks} where tasks.id = ${name}.task_id)`
  // By author: starting from boards, Postgres would read whole tables.
  const isLeft = (userId: number) => sql`${author} = any(array(
      select user_id from ${leftBoards} where removed and board_id = ${ownBoards(userId)}))
    and exists (select from ${leftBoards} gone
      where gone.user_id = ${author} and gone.removed and gone.board_id = ${ownBoards(userId)} and ${onTheirBoard})`
  return [
    {
      table,
      where: (userId) => sql`${author} = ${people(userId)} and not ${isOnBoard({ on }, removedFrom(userId))}`,
      ...counted,
    },
    { table, where: isLeft, ...counted },
  ]
}

/** Rows count for their author, also on others' boards; rows without an author count for the board's creator. */
const COUNTED: Counted[] = [
  { table: users, where: (userId) => sql`id = ${people(userId)}` },
  { table: schema.formerUsernames, where: (userId) => sql`user_id = ${userId}` },
  { table: leftBoards, where: (userId) => sql`user_id = ${userId} and not removed` },
  { table: leftBoards, where: (userId) => sql`board_id = ${ownBoards(userId)} and removed` },
  { table: schema.sessions, where: (userId) => sql`user_id = ${userId}` },
  { table: schema.idempotencyKeys, where: (userId) => sql`user_id = ${userId}` },
  { table: schema.mails, where: (userId) => sql`caused_by = ${userId}` },
  { table: boards, where: (userId) => sql`id = ${ownBoards(userId)}` },
  { table: schema.boardMembers, where: (userId) => sql`board_id = ${ownBoards(userId)}` },
  { table: schema.boardInvitations, where: (userId) => sql`invited_by = ${userId}` },
  { table: schema.nameOffers, where: (userId) => sql`name_id = ${people(userId)}` },
  ...written({ table: tasks, author: tasks.createdBy, on: 'board' }),
  ...CONTRIBUTIONS.flatMap(({ isContent: _, table, ...work }) => written({ table, author: table.userId, ...work })),
  { table: schema.taskAssignees, where: (userId) => sql`board_id = ${ownBoards(userId)}` },
  { table: schema.commentMentions, where: (userId) => sql`comment_id = ${ownComments(userId)}` },
  {
    table: schema.deletedRows,
    where: (userId) => sql`user_id = ${userId}`,
    // The file stays until it can no longer be restored.
    fileBytes: sql`coalesce((rows #> '{attachments,0,file_size}')::integer, 0)
      + coalesce((nullif(rows #> '{attachments,0,thumbnail_size}', 'null'))::integer, 0)`,
  },
  {
    table: imports,
    where: (userId) => sql`user_id = ${userId}`,
    // Once its board is being filled, its rows count instead.
    fileBytes: sql`case when board_id is null then bytes else 0 end`,
  },
  { table: schema.rates, where: (userId) => sql`board_id = ${ownBoards(userId)}` },
  { table: schema.notifications, where: (userId) => sql`actor_id = ${userId}` },
]

export const countedTables: PgTable[] = [...new Set(COUNTED.map(({ table }) => table))]

const HEADER_BYTES = 28
const FIXED_BYTES = 8
const INDEX_ENTRY_BYTES = 40

const isText = (column: PgColumn) => !column.enumValues?.length && /^(text|jsonb)/.test(column.getSQLType())

/** A row without its texts, with index entries. */
export function bytesPerRow(table: PgTable): number {
  const { columns, indexes, uniqueConstraints } = getTableConfig(table)
  const entries = 1 + indexes.length + uniqueConstraints.length + columns.filter(({ isUnique }) => isUnique).length
  return HEADER_BYTES + FIXED_BYTES * columns.length + INDEX_ENTRY_BYTES * entries
}

/** Column by column: for whole rows Postgres would unpack each long text. */
function bytesOf({ table, fileBytes }: Counted): SQL {
  const texts = getTableConfig(table).columns.filter(isText)
  const parts = [...texts.map((column) => sql`sum(pg_column_size(${column}))`), ...(fileBytes ? [sql`sum(${fileBytes})`] : [])]
  const sums = parts.map((part) => sql` + coalesce(${part}, 0)`)
  return sql`(count(*) * ${sql.raw(String(bytesPerRow(table)))}${sql.join(sums)})::float8`
}

/** Table by table, because the embedded database blocks during a statement. */
export async function accountBytes(db: Db, userId: number): Promise<number> {
  let sum = 0
  for (const counted of COUNTED) {
    const [found] = await db
      .select({ bytes: bytesOf(counted).mapWith(Number) })
      .from(counted.table)
      .where(counted.where(userId))
    sum += found?.bytes ?? 0
    await setImmediate()
  }
  return sum
}
