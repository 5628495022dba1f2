import type { Config } from '../../config'
import type { Db } from '../../db/database'
import { AccountFull, conflict } from '../errors'
import { createSumLimit, type SumLimit, storing } from '../sumLimit'
import { accountBytes } from './store'

export type AccountQuota = {
  /** Throws INSUFFICIENT_STORAGE with `message` where so many further bytes of the account have no room; nothing goes for it. */
  assertRoomFor(userId: number, bytes: number, message?: string): Promise<void>
  /** Runs what stores so many bytes of the account, which count from its start. Throws INSUFFICIENT_STORAGE. */
  storing<T>(userId: number, bytes: number, store: () => Promise<T>): Promise<T>
  /** As `storing`, of what is brought back: nothing goes for it, and a little may be too much, so that a full account can undo. */
  restoring<T>(userId: number, bytes: number, restore: () => Promise<T>): Promise<T>
  /** Runs what others store on the account's boards, but where it has more than its quota: INSUFFICIENT_STORAGE with `message`. */
  storingForOthers<T>(userId: number, bytes: number, message: string, store: () => Promise<T>): Promise<T>
  /** Throws CONFLICT with `message` where the account has more than its quota, as the transaction of `db` leaves it. */
  assertWithin(db: Db, userId: number, message: string): Promise<void>
  /** In words. */
  size: string
}

/** Lets what the account deleted, as many days ago at least, go before its time; answers whether there was any. */
export type EmptyTrash = (userId: number, days: number) => Promise<boolean>

/** Of the quota: an account that stored less since it was measured, or since the start, is not measured. */
const UNMEASURED_SHARE = 1 / 64
/** Of accounts that were measured; the longest known is forgotten first, and measured anew. */
const KNOWN_MAX = 10_000
/** Of what was deleted the older goes first. */
const TRASH_DAYS = [1, 0]

/** In words, such as "1,024 MB". */
export const megabytes = (bytes: number) => `${Math.ceil(bytes / 2 ** 20).toLocaleString('en-CA')} MB`

/** What one account's rows and files may take. */
export function createAccountQuota({ accountMax }: Pick<Config, 'accountMax'>, db: Db, emptyTrash: EmptyTrash): AccountQuota {
  const everyBytes = accountMax * UNMEASURED_SHARE
  const limits = new Map<number, SumLimit>()
  const size = megabytes(accountMax)
  const used = `Your account has used its ${size}. Delete tasks, boards or files to go on.`

  function limitOf(userId: number): SumLimit {
    const known = limits.get(userId)
    if (known) return known
    const limit = createSumLimit(accountMax, { everyBytes }, () => accountBytes(db, userId))
    limits.set(userId, limit)
    const [longestKnown = userId] = limits.keys()
    if (limits.size > KNOWN_MAX) limits.delete(longestKnown)
    return limit
  }

  async function take(userId: number, bytes: number) {
    const limit = limitOf(userId)
    if (await limit.take(bytes)) return
    if (bytes < accountMax)
      for (const days of TRASH_DAYS) if ((await emptyTrash(userId, days)) && (await limit.take(bytes))) return
    throw new AccountFull(used)
  }

  return {
    size,
    async assertRoomFor(userId, bytes, message = used) {
      if (accountMax > 0 && !(await limitOf(userId).fits(bytes))) throw new AccountFull(message)
    },
    async restoring(userId, bytes, restore) {
      if (accountMax === 0) return restore()
      const limit = limitOf(userId)
      const take = async () => {
        if (!(await limit.take(bytes, everyBytes))) throw new AccountFull(used)
      }
      return storing(limit, bytes, take, restore)
    },
    async storingForOthers(userId, bytes, message, store) {
      if (accountMax === 0) return store()
      const limit = limitOf(userId)
      if (!(await limit.fits(0))) throw new AccountFull(message)
      const stored = await store()
      limit.add(bytes)
      return stored
    },
    async assertWithin(db, userId, message) {
      if (accountMax > 0 && (await accountBytes(db, userId)) > accountMax) throw conflict(message)
    },
    async storing(userId, bytes, store) {
      if (accountMax === 0) return store()
      return storing(limitOf(userId), bytes, () => take(userId, bytes), store)
    },
  }
}
