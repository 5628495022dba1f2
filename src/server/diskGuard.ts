import { statfsSync } from 'node:fs'
import type { Config } from '../config'
import { log } from '../log'
import { NoRoom } from './errors'

export type MeasureDisk = (folder: string) => { free: number; size: number }

export const measureDisk: MeasureDisk = (folder) => {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder)
    return { free: bavail * bsize, size: blocks * bsize }
  } catch {
    return { free: Number.POSITIVE_INFINITY, size: 0 }
  }
}

/** Bytes that the copy of a table may take. */
export const spareFor = (free: number, diskReserve: number) => free - diskReserve * SHARE_FOR_VACUUM

export type DiskGuard = ReturnType<typeof createDiskGuard>

type Writing = Pick<Config, 'dataDir' | 'databaseUrl' | 's3' | 'smtpUrl' | 'diskReserve'>

/** Of the reserve, which is left for: changes within room that the database has itself, what makes room, and vacuuming. */
const SHARE_WITH_REUSE = 0.75
const SHARE_FOR_DELETIONS = 0.5
const SHARE_FOR_VACUUM = 0.25

/** Keeps the last of the disk free: without any, the embedded database could not even be opened. */
export function createDiskGuard({ dataDir, databaseUrl, s3, smtpUrl, diskReserve }: Writing, measure: MeasureDisk) {
  const holdsDatabase = !databaseUrl
  const what = holdsDatabase ? 'changes are refused and mails wait' : 'files are refused and mails to the disk wait'
  const mib = diskReserve / 2 ** 20
  const tell = logChanges(
    `less than ${mib} MB (DISK_RESERVE_MB) are free for DATA_DIR, ${dataDir}: ${what} until there is room`,
    `there is room for DATA_DIR, ${dataDir}, again`,
  )
  let reusable = 0

  const free = () => (diskReserve === 0 ? Number.POSITIVE_INFINITY : measure(dataDir).free)
  const isShort = (share = 1) => free() < diskReserve * share

  function isFull(): boolean {
    const is = isShort(reusable < diskReserve ? 1 : SHARE_WITH_REUSE)
    tell(is)
    return is
  }

  return {
    disk: () => measure(dataDir),
    mayChange: () => !(holdsDatabase && isFull()),
    mayDelete: () => !(holdsDatabase && isShort(SHARE_FOR_DELETIONS)),
    mayMail: () => !((holdsDatabase || !smtpUrl) && isFull()),
    /** Room within the database does not count for files: `isFull` is only asked because it tells. */
    mayStoreFile: () => !((holdsDatabase || !s3) && (isFull() || isShort())),
    mayVacuum: () => !isShort(SHARE_FOR_VACUUM),
    /** What the vacuum of the embedded database works with. */
    forVacuum: () => ({ isShort: isShort(), spare: spareFor(measure(dataDir).free, diskReserve) }),
    /** So many bytes in the files of the database are free for further rows: where that is a reserve's worth, changes go on longer. */
    countReusable(bytes: number) {
      reusable = bytes
    },
    /** Throws INSUFFICIENT_STORAGE. */
    assertChange(kind?: 'deletes') {
      if (!(kind === 'deletes' ? this.mayDelete() : this.mayChange())) throw new NoRoom()
    },
  }
}

export function logChanges(begins: string, ends: string) {
  let was = false
  return (is: boolean) => {
    if (is !== was) log.warn(is ? begins : ends)
    was = is
  }
}
