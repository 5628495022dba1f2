import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../../db/database'
import type { Services } from '../../../server/context'
import { runTransaction } from '../../../server/transaction'
import { announceProgress } from './announceProgress'
import { type Held, holdOn, noteProgress } from './lease/store'
import { lockImporter } from './store'

/** Somebody cancelled it, or this process stops. */
export class Stopped extends Error {}

/** As many as take about so long, on whatever machine. */
const STEP_MS = 30
const ROWS_AT_ONCE = { least: 10, most: 400 }
const ANNOUNCE_EVERY_MS = 500

export type Steps = ReturnType<typeof createSteps>

/** A transaction each, which nobody waits long for: it stores how far the import is, too. */
export function createSteps(services: Services, held: Held, isStopping: () => boolean) {
  let done = 0
  let announcedAt = 0
  let size = ROWS_AT_ONCE.least

  async function write<T>(work: (db: Db) => Promise<T>, changes: (answer: T) => object): Promise<T> {
    await setImmediate()
    return runTransaction(services, async (transaction) => {
      await lockImporter(transaction.db, held.userId)
      if (isStopping() || !(await holdOn(transaction.db, held))) throw new Stopped()
      const answer = await work(transaction.db)
      const row = await noteProgress(transaction.db, held, { done: Math.min(done, held.total), ...changes(answer) })
      const isDue = performance.now() - announcedAt > ANNOUNCE_EVERY_MS
      if (isDue) announcedAt = performance.now()
      if (row && isDue) announceProgress(transaction, held, row)
      return answer
    })
  }

  return {
    rowsAtOnce: () => size,
    begin: (work: (db: Db) => Promise<number>) => write(work, (boardId) => ({ boardId })),
    async step(rows: number, bytes = 0, work: (db: Db) => Promise<unknown> = async () => {}) {
      done += rows
      const began = performance.now()
      await services.accountQuota.storing(held.userId, bytes, () => write(work, () => ({})))
      const factor = Math.min(2, STEP_MS / (performance.now() - began))
      size = Math.max(ROWS_AT_ONCE.least, Math.min(ROWS_AT_ONCE.most, Math.round(size * factor)))
    },
  }
}
