import type { Config } from '../../config'
import type { Db } from '../../db/database'
import { numberText } from '../../format'
import { AccountFull, conflict } from '../errors'
import { createTotalLimit, type TotalLimit } from '../totalLimit'
import { accountBytes } from './store'

export type AccountQuota = {
  /** Throws INSUFFICIENT_STORAGE with `message` if that many more bytes do not fit; purges nothing. */
  assertRoomFor(userId: number, bytes: number, message?: string): Promise<void>
  /** Runs `store`, whose bytes count from its start. Throws INSUFFICIENT_STORAGE. */
  storing<T>(userId: number, bytes: number, store: () => Promise<T>): Promise<T>
  /** Like `storing`, for what is restored: purges nothing and tolerates a little too much, so that a full account can undo. */
  restoring<T>(userId: number, bytes: number, restore: () => Promise<T>): Promise<T>
  /** Runs a change by others that stores on the account's boards. Throws INSUFFICIENT_STORAGE with `message` beyond its quota. */
  storingForOthers<T>(userId: number, bytes: number, message: string, store: () => Promise<T>): Promise<T>
  /** Throws CONFLICT with `message` if the transaction of `db` leaves the account beyond its quota. */
  assertWithin(db: Db, userId: number, message: string): Promise<void>
  size: string
}

/** Purges what the account deleted at least `days` ago. Returns whether there was any. */
export type EmptyTrash = (userId: number, days: number) => Promise<boolean>

/** Share of the quota: an account that stored less since the last measurement is not measured again. */
const UNMEASURED_SHARE = 1 / 64
/** Measured accounts kept in memory, oldest forgotten first. */
const KNOWN_MAX = 10_000
/** Older deletions are purged first. */
const TRASH_DAYS = [1, 0]

export const megabytes = (bytes: number) => `${numberText(Math.ceil(bytes / 2 ** 20))} MB`

/** ACCOUNT_MAX_MB of 0 is no limit: nothing is measured. */
export function createAccountQuota({ accountMax }: Pick<Config, 'accountMax'>, db: Db, emptyTrash: EmptyTrash): AccountQuota {
  const max = accountMax || Number.POSITIVE_INFINITY
  const everyBytes = max * UNMEASURED_SHARE
  const limits = new Map<number, TotalLimit>()
  const size = megabytes(max)
  const used = `You have used all ${size} of your storage. Delete tasks, boards or files to free up space.`

  function limitOf(userId: number): TotalLimit {
    const known = limits.get(userId)
    if (known) return known
    const limit = createTotalLimit(max, { everyBytes }, () => accountBytes(db, userId))
    limits.set(userId, limit)
    const [longestKnown = userId] = limits.keys()
    if (limits.size > KNOWN_MAX) limits.delete(longestKnown)
    return limit
  }

  async function reserve(limit: TotalLimit, userId: number, bytes: number) {
    if (await limit.reserve(bytes)) return
    if (bytes < max) for (const days of TRASH_DAYS) if ((await emptyTrash(userId, days)) && (await limit.reserve(bytes))) return
    throw new AccountFull(used)
  }

  return {
    size,
    async assertRoomFor(userId, bytes, message = used) {
      if (!(await limitOf(userId).fits(bytes))) throw new AccountFull(message)
    },
    async storing(userId, bytes, store) {
      const limit = limitOf(userId)
      await reserve(limit, userId, bytes)
      return limit.storeReserved(bytes, store)
    },
    async restoring(userId, bytes, restore) {
      const limit = limitOf(userId)
      if (!(await limit.reserve(bytes, everyBytes))) throw new AccountFull(used)
      return limit.storeReserved(bytes, restore)
    },
    async storingForOthers(userId, bytes, message, store) {
      const limit = limitOf(userId)
      if (!(await limit.fits(0))) throw new AccountFull(message)
      const stored = await store()
      limit.add(bytes)
      return stored
    },
    async assertWithin(db, userId, message) {
      if (max < Number.POSITIVE_INFINITY && (await accountBytes(db, userId)) > max) throw conflict(message)
    },
  }
}
