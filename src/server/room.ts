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

export type Room = ReturnType<typeof createRoom>

type Writing = Pick<Config, 'dataDir' | 'databaseUrl' | 's3' | 'smtpUrl' | 'diskReserve'>

const SHARE_FOR_DELETIONS = 0.5

/** Keeps the last of the disk free: without any, the embedded database could not even be opened. */
export function createRoom({ dataDir, databaseUrl, s3, smtpUrl, diskReserve }: Writing, measure: MeasureDisk) {
  const holdsDatabase = !databaseUrl
  const what = holdsDatabase ? 'changes are refused and mails wait' : 'files are refused and mails to the disk wait'
  const mib = diskReserve / 2 ** 20
  const tell = teller(
    `less than ${mib} MB (DISK_RESERVE_MB) are free for DATA_DIR, ${dataDir}: ${what} until there is room`,
    `there is room for DATA_DIR, ${dataDir}, again`,
  )

  function isShort(share = 1): boolean {
    if (diskReserve === 0) return false
    const { free } = measure(dataDir)
    tell(free < diskReserve)
    return free < diskReserve * share
  }

  return {
    disk: () => measure(dataDir),
    mayChange: () => !(holdsDatabase && isShort()),
    mayDelete: () => !(holdsDatabase && isShort(SHARE_FOR_DELETIONS)),
    mayMail: () => !((holdsDatabase || !smtpUrl) && isShort()),
    mayStoreFile: () => !((holdsDatabase || !s3) && isShort()),
    /** Throws INSUFFICIENT_STORAGE. */
    assertChange(kind?: 'deletes') {
      if (!(kind === 'deletes' ? this.mayDelete() : this.mayChange())) throw new NoRoom()
    },
  }
}

export function teller(begins: string, ends: string) {
  let was = false
  return (is: boolean) => {
    if (is !== was) log.warn(is ? begins : ends)
    was = is
  }
}
