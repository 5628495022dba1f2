import { sql } from 'drizzle-orm'
import { type AnyPgColumn, check, customType, type ExtraConfigColumn, index, integer, timestamp } from 'drizzle-orm/pg-core'

export const id = () => integer().primaryKey().generatedAlwaysAsIdentity()
export const moment = () => timestamp({ withTimezone: true, precision: 3 })
export const now = () => moment().notNull().defaultNow()
/** A required reference: the row is deleted with what it belongs to. */
export const owned = (id: () => AnyPgColumn) => integer().notNull().references(id, { onDelete: 'cascade' })

/** Sorted by bytes, as JavaScript compares strings, whatever the database's locale. */
export const sortKey = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' })

export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/** Drizzle's own type passes text, which Bun's client would encode again. */
export const jsonb = customType<{ data: object }>({ dataType: () => 'jsonb' })

/** A check that the column holds one of its enum's values. */
export const oneOf = (name: string, column: AnyPgColumn, values: readonly string[]) =>
  check(name, sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(', '))})`)

/** For searches within text. Rows are indexed at once: each search would read a whole list of pending ones, or all rows. */
export const trigramIndex = (name: string, column: ExtraConfigColumn) =>
  index(name).using('gin', column.op('gin_trgm_ops')).with({ fastupdate: false })
