import type { BoardGrant } from '../../../boards/server/grants'
import type { Db } from '../../../db/database'
import type { Pricing } from '../../rates/server/store'
import type { ReportFilter, Totals } from '../schema'
import { readTotals } from './store'

/** The largest totals, of years on thousands of tasks, take a megabyte. */
const CACHED_MAX = 20

declare module '../../../server/context' {
  interface Services {
    reportTotals: ReturnType<typeof createTotalsCache>
  }
}

/** Caches by board version, filter and visible rates, so that turning the pages of a report only reads one page of entries. */
export function createTotalsCache() {
  const cache = new Map<string, Promise<Totals>>()

  return function read(db: Db, grant: BoardGrant<'read'>, filter: ReportFilter, pricing: Pricing): Promise<Totals> {
    const key = JSON.stringify([grant.board.id, grant.board.version, filter, pricing])
    const totals = cache.get(key) ?? readTotals(db, grant, filter, pricing)
    // Moved to the end, as eviction starts at the front.
    cache.delete(key)
    cache.set(key, totals)
    totals.catch(() => cache.delete(key))
    for (const oldest of [...cache.keys()].slice(0, -CACHED_MAX)) cache.delete(oldest)
    return totals
  }
}
