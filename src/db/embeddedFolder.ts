import { Database, SQLiteError } from 'bun:sqlite'
import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { log } from '../log'
import { CannotOpen } from './database'

/** SQLite's lock, which the system holds until `release` or the end of the process. Throws CannotOpen. */
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
  return `DATA_DIR (${dataDir}) cannot be used: ${error instanceof Error ? error.message : error}`
}

export const FOR_OTHERS = 0o077
const STICKY = 0o1000

const isOpen = (path: string) => (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & FOR_OTHERS

/** Closes a data folder and its contents to other users of the machine. Warns if that fails. */
export function keepToOwner(dataDir: string): void {
  try {
    // Nobody but wrk should use it; /tmp is shared by all.
    if (dirname(dataDir) === dataDir || statSync(dataDir).mode & STICKY)
      log.warn(`${dataDir} is a system-wide folder: set DATA_DIR to one of wrk's own`)
    else close(dataDir)
    for (const name of ['lock', 'uploads', 'mail']) close(join(dataDir, name))
    closeDatabase(join(dataDir, 'postgres'))
  } catch (error) {
    log.warn(`other users of this machine may be able to read ${dataDir}: ${error instanceof Error ? error.message : error}`)
  }
}

function close(path: string) {
  if (isOpen(path)) chmodSync(path, lstatSync(path).mode & ~FOR_OTHERS & 0o7777)
}

/** PG_VERSION is closed last: if it is closed, so are the others. */
function closeDatabase(folder: string) {
  close(folder)
  const last = join(folder, 'PG_VERSION')
  if (!isOpen(last)) return
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (path !== last && !entry.isSymbolicLink()) close(path)
  }
  close(last)
}
