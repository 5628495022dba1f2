import type { PgDatabase, PgQueryResultHKT, PgTransactionConfig } from 'drizzle-orm/pg-core'

/** Drizzle's, of any driver, or a transaction of one. */
export type Db = Omit<PgDatabase<PgQueryResultHKT>, 'transaction'> & {
  transaction<T>(work: (transaction: Db) => Promise<T>, config?: PgTransactionConfig): Promise<T>
}

/** A database that cannot be used; the message is for the operator. */
export class CannotOpen extends Error {}

/** `url` where it is a server, which other processes may use too. */
export type Database = {
  db: Db
  url?: string
  pool?: () => PoolUse
  /** Of the embedded one in a folder: nothing else vacuums it. */
  vacuum?: Vacuum
  close(): Promise<void>
}

/** `spare` are the bytes that the copy of a table may take. */
export type Disk = { isShort: boolean; spare: number }

export type Vacuum = {
  /**
   * To be called every second. Resolves to the bytes within tables that rows can use again, counted where the disk is short. Once a
   * day, and at once where it is short, it takes what was deleted more than a second ago out of all files, their log included.
   */
  run(disk: () => Disk): Promise<number>
  /** Resolves once no statement of it is under way. */
  stop(): Promise<void>
}

export type PoolUse = { used: number; idle: number; waiting: number }

/** Commands beside a running server leave the schema to it; a restore makes its own. */
export type MigrationState = 'migrated' | 'as it is' | 'untouched'
