import type { Config } from '../../config'
import type { Db } from '../../db/database'
import { logChanges } from '../../log'
import type { DiskGuard, MeasureDisk } from '../diskGuard'
import { NoRoom } from '../errors'
import { createTotalLimit, type TotalLimit } from '../totalLimit'
import { bytesOfFiles } from './store'

export type FileQuota = {
  assertRoomFor(bytes: number): Promise<void>
  /** Runs `store`, whose bytes count from its start. Throws INSUFFICIENT_STORAGE. */
  storing<T>(bytes: number, store: () => Promise<T>): Promise<T>
}

/** Summing a million files takes a moment; other processes' files are counted that much later. */
const MEASURE_EVERY_MS = 60_000

const NO_ROOM = 'This server has no space left for files.'

/** All files together may take FILES_MAX_MB, or leave a tenth of the disk free. */
export function createFileQuota(
  { filesMax, s3, dataDir }: Pick<Config, 'filesMax' | 's3' | 'dataDir'>,
  db: Db,
  diskGuard: DiskGuard,
  measure: MeasureDisk,
): FileQuota {
  const limit =
    filesMax === undefined
      ? ofDisk(() => !s3 && measure(dataDir))
      : createTotalLimit(filesMax, { everyMs: MEASURE_EVERY_MS }, () => bytesOfFiles(db))
  const reason =
    filesMax === undefined
      ? `only the tenth of the disk that stays free is left for DATA_DIR, ${dataDir}`
      : 'FILES_MAX_MB is reached'
  const tell = logChanges(`${reason}: files are refused until there is space`, 'there is space for files again')
  async function admit(ask: () => Promise<boolean>) {
    if (!diskGuard.mayStoreFile()) throw new NoRoom()
    const fits = await ask()
    tell(!fits)
    if (!fits) throw new NoRoom(NO_ROOM)
  }
  return {
    assertRoomFor: (bytes) => admit(() => limit.fits(bytes)),
    async storing(bytes, store) {
      await admit(() => limit.reserve(bytes))
      return limit.storeReserved(bytes, store)
    },
  }
}

const KEPT_FREE = 0.1

function ofDisk(measure: () => ReturnType<MeasureDisk> | false): Omit<TotalLimit, 'add'> {
  let inFlight = 0
  const fits = (bytes: number) => {
    const disk = measure()
    return !disk || disk.free - inFlight - bytes >= disk.size * KEPT_FREE
  }
  return {
    fits: async (bytes) => fits(bytes),
    async reserve(bytes) {
      if (!fits(bytes)) return false
      inFlight += bytes
      return true
    },
    async storeReserved(bytes, store) {
      try {
        return await store()
      } finally {
        inFlight -= bytes
      }
    },
  }
}
