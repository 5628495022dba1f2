/** A limit on a sum that is measured now and then; what is stored meanwhile is counted as it comes. */
export type TotalLimit = {
  fits(bytes: number): Promise<boolean>
  /** Like `fits`, but counts them at once, so that concurrent calls cannot slip past. `beyond` is how much too much may pass. */
  take(bytes: number, beyond?: number): Promise<boolean>
  end(bytes: number, isKept: boolean): void
  /** Counts what was stored elsewhere, so that the sum is measured again sooner. */
  add(bytes: number): void
}

/** When to measure again, besides when the limit seems reached: after some time, or some bytes. */
type When = { everyMs?: number; everyBytes?: number }

/** Measuring takes at most this share of the time, however often it is asked. */
const SHARE_OF_TIME = 0.1

export function createTotalLimit(max: number, { everyMs, everyBytes }: When, addUp: () => Promise<number>): TotalLimit {
  let sum: number | undefined
  let addedUpAt = Number.NEGATIVE_INFINITY
  let pauseMs = 0
  let since = 0
  let coming = 0
  let adding: Promise<void> | undefined

  async function addUpAgain() {
    await Bun.sleep(Math.max(0, addedUpAt + pauseMs - performance.now()))
    const began = performance.now()
    const inSum = since - coming
    sum = await addUp()
    since -= inSum
    addedUpAt = performance.now()
    pauseMs = (addedUpAt - began) * (1 / SHARE_OF_TIME - 1)
  }
  const refresh = () => {
    adding ??= addUpAgain().finally(() => {
      adding = undefined
    })
    return adding
  }

  function isStale(bytes: number): boolean {
    const age = performance.now() - addedUpAt
    if (age < pauseMs) return false
    const unknown = sum === undefined ? since + bytes : since - coming
    return (everyMs !== undefined && age > everyMs) || (everyBytes !== undefined && unknown > everyBytes)
  }

  const isWithin = (bytes: number) => (sum ?? 0) + since + bytes <= max
  const refreshFor = async (bytes: number) => {
    if (!isWithin(bytes) || isStale(bytes)) await refresh()
  }

  return {
    async fits(bytes) {
      await refreshFor(bytes)
      return isWithin(bytes)
    },
    async take(bytes, beyond = 0) {
      await refreshFor(bytes)
      // Checked and taken without a pause: others were waiting too.
      if (!isWithin(bytes - beyond)) return false
      since += bytes
      coming += bytes
      return true
    },
    end(bytes, isKept) {
      coming -= bytes
      if (!isKept) since -= bytes
    },
    add(bytes) {
      since += bytes
    },
  }
}

export async function storing<T>(
  limit: Pick<TotalLimit, 'end'>,
  bytes: number,
  take: () => Promise<void>,
  store: () => Promise<T>,
): Promise<T> {
  await take()
  let isKept = false
  try {
    const stored = await store()
    isKept = true
    return stored
  } finally {
    limit.end(bytes, isKept)
  }
}
