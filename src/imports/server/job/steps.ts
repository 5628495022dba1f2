import { setImmediate } from 'node:timers/promises'
import { lockBoard } from '../../../boards/server/lookup'
import type { Db } from '../../../db/database'
import type { Services } from '../../../server/context'
import { toUsers } from '../../../server/live/openSockets'
import { runTransaction, type TransactionContext } from '../../../server/transaction'
import { type ProgressRow, toProgress } from '../lookup'
import { lockImporter } from './board.store'
import { type Held, lockHeld, noteProgress } from './leases.store'

export class Stopped extends Error {}

/** A step writes as many rows as take about this long. */
const STEP_MS = 30
const ROWS_AT_ONCE = { least: 10, most: 400 }
const ANNOUNCE_EVERY_MS = 500

export type Steps = ReturnType<typeof createSteps>

/** Writes in short transactions, each of which also stores the progress. */
export function createSteps(services: Services, held: Held, isStopping: () => boolean) {
  let done = 0
  let announcedAt = 0
  let size = ROWS_AT_ONCE.least
  let board: number | null = null

  async function write<T>(work: (db: Db) => Promise<T>, changes: (answer: T) => object): Promise<T> {
    await setImmediate()
    return runTransaction(services, async (transaction) => {
      if (board !== null) await lockBoard(transaction.db, board)
      await lockImporter(transaction.db, held.userId)
      if (isStopping() || !(await lockHeld(transaction.db, held))) throw new Stopped()
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
    async begin(work: (db: Db) => Promise<number>) {
      board = null
      board = await write(work, (boardId) => ({ boardId }))
      return board
    },
    async step(rows: number, bytes = 0, work: (db: Db) => Promise<unknown> = async () => {}) {
      done += rows
      const began = performance.now()
      await services.accountQuota.storing(held.userId, bytes, () => write(work, () => ({})))
      const factor = Math.min(2, STEP_MS / (performance.now() - began))
      size = Math.max(ROWS_AT_ONCE.least, Math.min(ROWS_AT_ONCE.most, Math.round(size * factor)))
    },
  }
}

export const announceProgress = ({ outbox }: Pick<TransactionContext, 'outbox'>, { userId }: Held, row: ProgressRow): void =>
  outbox.push(toUsers([userId], { type: 'import_changed', to: 'user', payload: { import: toProgress(row) } }))

/** A chunk ends at this many characters, however few rows have them. */
const LENGTH_MAX = 2 ** 20

export async function* inChunks<Row extends object>(rows: AsyncIterable<Row>, rowsAtOnce: () => number): AsyncGenerator<Row[]> {
  let chunk: Row[] = []
  let length = 0
  for await (const row of rows) {
    length += lengthOf(row)
    if (chunk.push(row) < rowsAtOnce() && length < LENGTH_MAX) continue
    yield chunk
    chunk = []
    length = 0
  }
  if (chunk.length > 0) yield chunk
}

/** Nested values count too: an event's detail can be long. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 1
  return Object.entries(value).reduce((sum, [name, one]) => sum + name.length + lengthOf(one), 0)
}
