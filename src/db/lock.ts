import { Database, SQLiteError } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** The data directory is in use: the message names it. */
export class DataDirectoryInUse extends Error {}

/**
 * Takes a data directory for this process alone, until `release` or until the process ends in whatever way.
 * The lock is SQLite's, held by the operating system: a killed process cannot leave it behind, which a
 * file with a process number in it would. Throws DataDirectoryInUse.
 */
export function lockDataDirectory(dataDir: string): { release(): void } {
  mkdirSync(dataDir, { recursive: true })
  const lock = new Database(join(dataDir, 'lock'))
  try {
    lock.run('PRAGMA locking_mode = EXCLUSIVE')
    lock.run('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (error instanceof SQLiteError && error.code === 'SQLITE_BUSY')
      throw new DataDirectoryInUse(
        `${dataDir} is in use by another wrk process: stop that one first, or set DATA_DIR to another folder`,
      )
    throw error
  }
  return { release: () => lock.close() }
}
