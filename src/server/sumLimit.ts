/** What may be stored up to a sum, which is added up now and then: what is stored meanwhile is counted as it comes. */
export type SumLimit = {
  /** Whether a further so many bytes fit. May wait to add up anew. */
  fits(bytes: number): Promise<boolean>
  /**
   * As `fits`; where they do they count from then on, be they stored or not, so that of many at once none slips past. `beyond`
   * lets the sum pass by so much.
   */
  take(bytes: number, beyond?: number): Promise<boolean>
  end(bytes: number, isKept: boolean): void
  /** What was stored beside, and may count: the sum is added up anew the sooner. */
  add(bytes: number): void
}

/** When what is stored is added up anew, beside when it seems too much: after so long, or once so many bytes came. */
type When = { everyMs?: number; everyBytes?: number }

/** Adding up takes no more than this share of the time, however often somebody asks for what does not fit. */
const SHARE_OF_TIME = 0.1

export function createSumLimit(max: number, { everyMs, everyBytes }: When, addUp: () => Promise<number>): SumLimit {
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
      // Looked at and taken at once: others who waited are next.
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

/** Runs what stores so many bytes once `take` has taken them, or has thrown. */
export async function storing<T>(
  limit: Pick<SumLimit, 'end'>,
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
