import { Database, SQLiteError } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { CannotOpen } from './database'

/** Until `release` or the end of the process, for it is SQLite's lock, which the system holds. Throws CannotOpen. */
export function lockDataDirectory(dataDir: string): { release(): void } {
  let lock: Database | undefined
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    lock = new Database(join(dataDir, 'lock'))
    // A full disk has no room for a journal.
    lock.run('PRAGMA journal_mode = MEMORY')
    lock.run('PRAGMA locking_mode = EXCLUSIVE')
    lock.run('BEGIN EXCLUSIVE')
    return { release: () => lock?.close() }
  } catch (error) {
    lock?.close()
    throw new CannotOpen(whyNotLocked(dataDir, error))
  }
}

function whyNotLocked(dataDir: string, error: unknown): string {
  if (error instanceof SQLiteError && error.code === 'SQLITE_BUSY')
    return `${dataDir} is in use by another wrk process: stop that one first, or set DATA_DIR to another folder`
  return `DATA_DIR, which is ${dataDir}, cannot be used: ${error instanceof Error ? error.message : error}`
}
