import type { BoardGrant } from '../../../boards/server/grants'
import type { Db } from '../../../db/client'
import type { Prices } from '../../rates/server/store'
import type { ReportFilter, Sums } from '../schema'
import { readSums } from './store'

/** So many are kept; the largest, of years on thousands of tasks, takes a megabyte. */
const KEPT = 20

declare module '../../../server/context' {
  interface Services {
    reportSums: ReturnType<typeof createReportSums>
  }
}

/**
 * The sums of reports, kept under the board's version, what was filtered, and the rates that the viewer may see: turning
 * the pages of a report reads the entries of each page alone, however many there are. As with snapshots, names are in them.
 */
export function createReportSums() {
  const kept = new Map<string, Promise<Sums>>()

  return function sumsOf(db: Db, grant: BoardGrant<'read'>, filter: ReportFilter, prices: Prices): Promise<Sums> {
    const key = JSON.stringify([grant.board.id, grant.board.version, filter, prices])
    const sums = kept.get(key) ?? readSums(db, grant, filter, prices)
    kept.delete(key)
    kept.set(key, sums)
    sums.catch(() => kept.delete(key))
    for (const oldest of [...kept.keys()].slice(0, -KEPT)) kept.delete(oldest)
    return sums
  }
}
