import { oneAtATime } from '../promises'

/** A limit on a sum that is measured now and then; what is stored in between is added up. */
export type TotalLimit = {
  fits(bytes: number): Promise<boolean>
  /** Like `fits`, but counts at once, so concurrent calls cannot slip past. `tolerated`: how far the limit may be exceeded. */
  reserve(bytes: number, tolerated?: number): Promise<boolean>
  /** Runs `store` on a reservation, which is released if it throws. */
  storeReserved<T>(bytes: number, store: () => Promise<T>): Promise<T>
  /** Counts what was stored elsewhere, so that the sum is measured again sooner. */
  add(bytes: number): void
}

/** When to measure again, besides when the limit seems reached: after some time, or some bytes. */
type When = { everyMs?: number; everyBytes?: number }

/** Measuring takes at most this share of the time, however often it is asked. */
const SHARE_OF_TIME = 0.1

export function createTotalLimit(max: number, { everyMs, everyBytes }: When, measure: () => Promise<number>): TotalLimit {
  let measured: number | undefined
  let measuredAt = Number.NEGATIVE_INFINITY
  let pauseMs = 0
  let addedSince = 0
  let inFlight = 0

  const measureAgain = oneAtATime(async () => {
    await Bun.sleep(Math.max(0, measuredAt + pauseMs - performance.now()))
    const began = performance.now()
    const stored = addedSince - inFlight
    measured = await measure()
    addedSince -= stored
    measuredAt = performance.now()
    pauseMs = (measuredAt - began) * (1 / SHARE_OF_TIME - 1)
  })

  function isStale(bytes: number): boolean {
    const age = performance.now() - measuredAt
    if (age < pauseMs) return false
    // Before the first measurement nothing is known, so what is in flight counts, too.
    const unmeasured = measured === undefined ? addedSince + bytes : addedSince - inFlight
    return (everyMs !== undefined && age > everyMs) || (everyBytes !== undefined && unmeasured > everyBytes)
  }

  const isWithin = (bytes: number) => (measured ?? 0) + addedSince + bytes <= max
  async function measureFor(bytes: number) {
    if (!isWithin(bytes) || isStale(bytes)) await measureAgain()
  }

  return {
    async fits(bytes) {
      await measureFor(bytes)
      return isWithin(bytes)
    },
    async reserve(bytes, tolerated = 0) {
      await measureFor(bytes)
      // Checked and reserved without yielding: others were waiting too.
      if (!isWithin(bytes - tolerated)) return false
      addedSince += bytes
      inFlight += bytes
      return true
    },
    async storeReserved(bytes, store) {
      try {
        return await store()
      } catch (error) {
        addedSince -= bytes
        throw error
      } finally {
        inFlight -= bytes
      }
    },
    add(bytes) {
      addedSince += bytes
    },
  }
}
