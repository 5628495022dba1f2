import type { Config } from '../../config'
import type { Db } from '../../db/database'
import { NoRoom } from '../errors'
import { type MeasureDisk, type Room, teller } from '../room'
import { storedBytes } from './store'

export type FileQuota = {
  /** Throws INSUFFICIENT_STORAGE where a further file of so many bytes has no room. */
  assertRoomFor(bytes: number): Promise<void>
  /** Runs what stores so many bytes, which count from its start. Throws INSUFFICIENT_STORAGE. */
  storing<T>(bytes: number, store: () => Promise<T>): Promise<T>
}

type Limit = { fits(bytes: number): Promise<boolean>; begin(bytes: number): void; end(bytes: number, isKept: boolean): void }

const NO_ROOM = 'This server has no room for further files.'

/** What all files together may take: FILES_MAX_MB, or what leaves a tenth of the disk. */
export function createFileQuota(
  { filesMax, s3, dataDir }: Pick<Config, 'filesMax' | 's3' | 'dataDir'>,
  db: Db,
  room: Room,
  measure: MeasureDisk,
): FileQuota {
  const limit = filesMax === undefined ? ofDisk(() => !s3 && measure(dataDir)) : ofSum(filesMax, () => storedBytes(db))
  const reason = filesMax === undefined ? `a tenth of the disk of DATA_DIR, ${dataDir}, stays free` : 'FILES_MAX_MB is reached'
  const tell = teller(`${reason}: further files are refused until there is room`, 'there is room for files again')
  async function assertRoomFor(bytes: number) {
    if (!room.mayStoreFile()) throw new NoRoom()
    const fits = await limit.fits(bytes)
    tell(!fits)
    if (!fits) throw new NoRoom(NO_ROOM)
  }
  return {
    assertRoomFor,
    async storing(bytes, store) {
      limit.begin(bytes)
      let isKept = false
      try {
        await assertRoomFor(0)
        const stored = await store()
        isKept = true
        return stored
      } finally {
        limit.end(bytes, isKept)
      }
    },
  }
}

const KEPT_FREE = 0.1

function ofDisk(measure: () => ReturnType<MeasureDisk> | false): Limit {
  let coming = 0
  return {
    async fits(bytes) {
      const disk = measure()
      return !disk || disk.free - coming - bytes >= disk.size * KEPT_FREE
    },
    begin(bytes) {
      coming += bytes
    },
    end(bytes) {
      coming -= bytes
    },
  }
}

/** Adding up a million files takes a moment, so it is done now and then: what other processes store is known that much later. */
const ADD_UP_EVERY_MS = 60_000

function ofSum(max: number, addUp: () => Promise<number>): Limit {
  let sum = 0
  let addedUpAt = Number.NEGATIVE_INFINITY
  let since = 0
  let coming = 0
  let adding: Promise<void> | undefined

  async function addUpAgain() {
    const inSum = since - coming
    sum = await addUp()
    since -= inSum
    addedUpAt = Date.now()
  }
  const refresh = () => {
    adding ??= addUpAgain().finally(() => {
      adding = undefined
    })
    return adding
  }

  return {
    async fits(bytes) {
      if (Date.now() - addedUpAt > ADD_UP_EVERY_MS) await refresh()
      if (sum + since + bytes > max) await refresh()
      return sum + since + bytes <= max
    },
    begin(bytes) {
      since += bytes
      coming += bytes
    },
    end(bytes, isKept) {
      coming -= bytes
      if (!isKept) since -= bytes
    },
  }
}
