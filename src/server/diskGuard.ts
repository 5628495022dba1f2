import { statfsSync } from 'node:fs'
import type { Config } from '../config'
import { logChanges } from '../log'
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

export const spareFor = (free: number, diskReserve: number) => free - diskReserve * SHARE_FOR_VACUUM

export type DiskGuard = ReturnType<typeof createDiskGuard>

type DiskConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 's3' | 'smtpUrl' | 'diskReserve'>

/** Shares of the reserve, kept for changes that reuse space, for deletions, and for vacuuming. */
const SHARE_WITH_REUSE = 0.75
const SHARE_FOR_DELETIONS = 0.5
const SHARE_FOR_VACUUM = 0.25

/** Keeps a reserve of the disk free: on a full disk the embedded database would not even open. */
export function createDiskGuard({ dataDir, databaseUrl, s3, smtpUrl, diskReserve }: DiskConfig, measure: MeasureDisk) {
  const holdsDatabase = !databaseUrl
  const what = holdsDatabase ? 'changes are refused and emails wait' : 'files are refused and emails written to disk wait'
  const mib = diskReserve / 2 ** 20
  const tell = logChanges(
    `less than ${mib} MB (DISK_RESERVE_MB) is free for DATA_DIR, ${dataDir}: ${what} until space is freed`,
    `DATA_DIR, ${dataDir}, has enough space again`,
  )
  let reusable = 0

  const free = () => (diskReserve === 0 ? Number.POSITIVE_INFINITY : measure(dataDir).free)
  const isShort = (share = 1) => free() < diskReserve * share

  function isFull(): boolean {
    const is = isShort(reusable < diskReserve ? 1 : SHARE_WITH_REUSE)
    tell(is)
    return is
  }

  const mayChange = () => !(holdsDatabase && isFull())
  const mayDelete = () => !(holdsDatabase && isShort(SHARE_FOR_DELETIONS))

  return {
    disk: () => measure(dataDir),
    mayChange,
    mayDelete,
    mayMail: () => !((holdsDatabase || !smtpUrl) && isFull()),
    /** Reusable space is of no use to files: `isFull` is only called for its log line. */
    mayStoreFile: () => !((holdsDatabase || !s3) && (isFull() || isShort())),
    mayVacuum: () => !isShort(SHARE_FOR_VACUUM),
    forVacuum: () => ({ isShort: isShort(), spare: spareFor(measure(dataDir).free, diskReserve) }),
    /** Free bytes within the database's files: if they are a reserve's worth, changes go on longer. */
    countReusable(bytes: number) {
      reusable = bytes
    },
    assertChange(kind?: 'deletes') {
      if (!(kind === 'deletes' ? mayDelete() : mayChange())) throw new NoRoom()
    },
  }
}
