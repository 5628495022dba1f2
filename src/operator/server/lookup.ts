import { and, eq, ilike, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { notDeleted } from '../../boards/server/lookup'
import type { Db } from '../../db/database'
import { boardInvitations, boards, users } from '../../db/tables'
import { openColumns } from '../../invitations/server/lookup'
import { withAsciiDomain } from '../../schema'
import { hasAccount, ownColumns } from '../../users/server/lookup'
import { LISTED_AT_MOST, type List } from '../schema'

export async function isOperator(db: Db, userId: number): Promise<boolean> {
  const [found] = await db
    .select({ operator: users.operator })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.disabledAt)))
  return found?.operator === true
}

const accountColumns = { ...ownColumns, disabledAt: users.disabledAt, hasPassword: sql<boolean>`${users.password} is not null` }

export type AccountRow = NonNullable<Awaited<ReturnType<typeof findAccountById>>>

export async function findAccountById(db: Db, userId: number) {
  const [found] = await db
    .select(accountColumns)
    .from(users)
    .where(and(eq(users.id, userId), hasAccount))
  return found
}

/** By username, email or id: two if the username of one looks like the id of the other. */
export async function findUserIds(db: Db, named: string): Promise<number[]> {
  const name = named.trim().toLowerCase()
  const isId = /^[1-9]\d{0,8}$/.test(name) ? eq(users.id, Number(name)) : undefined
  const found = await db
    .select({ id: users.id })
    .from(users)
    .where(and(hasAccount, or(eq(users.username, name), eq(users.email, withAsciiDomain(name)), isId)))
  return found.map(({ id }) => id)
}

export async function findBoard(db: Db, boardId: number) {
  const { id, name, createdBy } = boards
  const [found] = await db
    .select({ id, name, createdBy })
    .from(boards)
    .where(and(eq(id, boardId), notDeleted))
  return found
}

export async function findPendingInvitation(db: Db, invitationId: number) {
  const [found] = await db
    .select({ boardId: boardInvitations.boardId, ...openColumns })
    .from(boardInvitations)
    .where(and(eq(boardInvitations.id, invitationId), sql`${boardInvitations.status} = 'pending'`))
  return found
}

export const LARGEST_ID = 2_147_483_647

export const beforeCursor = (column: AnyPgColumn, { cursor = LARGEST_ID }: List): SQL => lt(column, cursor)

/** A trigram index needs three letters, or the beginning of a word. */
const WHOLE_LETTERS = 3

/** Short searches match only the beginnings of words. */
export function matchesSearch(search: string, ...columns: AnyPgColumn[]): SQL | undefined {
  const text = search.replaceAll(/[\\%_]/g, '\\$&')
  const patterns = search.length < WHOLE_LETTERS ? [`${text}%`, `% ${text}%`] : [`%${text}%`]
  return or(...columns.flatMap((column) => patterns.map((pattern) => ilike(column, pattern))))
}

/** Not `in`: after five searches Postgres uses a generic plan that scans all rows. */
export const isAmong = (column: AnyPgColumn, ids: SQL): SQL => sql`${column} = any(array(${ids}))`

export function toPage<Row extends { id: number }>(found: Row[]): { rows: Row[]; nextCursor: number | null } {
  const rows = found.slice(0, LISTED_AT_MOST)
  return { rows, nextCursor: found.length > rows.length ? (rows.at(-1)?.id ?? null) : null }
}
