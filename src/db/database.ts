import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

export type Db = PgDatabase<PgQueryResultHKT>

/** A database that cannot be used; the message is for whoever runs the server. */
export class CannotOpen extends Error {}

/** `url` where it is a server, which other processes may use too. */
export type Database = {
  db: Db
  url?: string
  pool?: () => PoolUse
  /** Resolves when a statement under way is answered, be it only in part. */
  nextAnswer?: () => Promise<void>
  close(): Promise<void>
}

export type PoolUse = { used: number; idle: number; waiting: number }

/** Commands beside a running server leave the schema to it; a restore makes its own. */
export type Schema = 'migrated' | 'as it is' | 'untouched'
