import { Database, SQLiteError } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

export class DataDirectoryInUse extends Error {}

/**
 * Locked until `release` or the end of the process. The operating system holds SQLite's lock, so a killed process cannot
 * leave it behind, unlike a file with a process number. Throws DataDirectoryInUse.
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
