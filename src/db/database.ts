import type { PgDatabase, PgQueryResultHKT, PgTransactionConfig } from 'drizzle-orm/pg-core'

/** Drizzle's database or transaction, with any driver. */
export type Db = Omit<PgDatabase<PgQueryResultHKT>, 'transaction'> & {
  transaction<T>(work: (transaction: Db) => Promise<T>, config?: PgTransactionConfig): Promise<T>
}

/** A database that cannot be used; the message is for the operator. */
export class CannotOpen extends Error {}

/** `url` if it is a server, which other processes may use too. */
export type Database = {
  db: Db
  url?: string
  pool?: () => PoolUse
  /** For the embedded database in a folder, which nothing else vacuums. */
  vacuum?: Vacuum
  close(): Promise<void>
}

/** `spare`: how many bytes the copy of a table may take. */
export type Disk = { isShort: boolean; spare: number }

export type Vacuum = {
  /**
   * To be called every second. Resolves to the reusable bytes within tables, counted if the disk is short. Once a day, and at
   * once if the disk is short, it removes what was deleted more than a second ago from all files, including the log.
   */
  run(disk: () => Disk): Promise<number>
  /** Resolves once none of its statements is under way. */
  stop(): Promise<void>
}

export type PoolUse = { used: number; idle: number; waiting: number }

/** Commands beside a running server leave the schema to it; a restore creates its own. */
export type MigrationState = 'migrated' | 'as it is' | 'untouched'
