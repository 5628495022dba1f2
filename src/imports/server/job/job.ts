import { setImmediate } from 'node:timers/promises'
import { boardEvents } from '../../../activity/server/activityEvents'
import type { BoardRow, BoardTable } from '../../../archive/boardRows'
import { ArchiveFailed } from '../../../archive/schema'
import { openBoardArchive } from '../../../archive/server/openedBoard'
import { announce } from '../../../boards/server/announce'
import type { Db } from '../../../db/database'
import type { Services } from '../../../server/context'
import { runTransaction, type TransactionContext } from '../../../server/transaction'
import { summaryOf } from '../../../users/schema'
import type { Loss } from '../../schema'
import { grantFilled, readImporter } from '../grants'
import { choicesOf } from '../lookup'
import type { BoardArchive } from '../preview'
import { byWeight, createLosses } from '../sources/losses'
import { announceProgress } from './announceProgress'
import { inChunks } from './chunks'
import { createFileImport } from './files'
import { createFilling, type Filling } from './filling'
import { type Held, holdOn, noteProgress } from './lease/store'
import {
  countTasks,
  insertHiddenBoard,
  writeActivities,
  writeAssignees,
  writeBoard,
  writeComments,
  writeEntries,
  writePeople,
  writeRates,
  writeTasks,
} from './rows/store'
import { dropArchive, lockImporter, openBoard } from './store'

/** Somebody cancelled it, or this process stops. */
export class Stopped extends Error {}

/** As many as take about so long, on whatever machine. */
const STEP_MS = 30
const ROWS_AT_ONCE = { least: 10, most: 400 }
const ANNOUNCE_EVERY_MS = 500

/** Makes the board, or throws with nothing of it to be found. Throws ArchiveFailed, FORBIDDEN, Stopped. */
export async function runImport(services: Services, held: Held, isStopping: () => boolean): Promise<void> {
  const done = await services.files.withLocalFile(held.file, async (path) => {
    const archive = await openBoardArchive(path)
    try {
      await fill(services, held, archive, isStopping)
    } finally {
      archive.close()
    }
    return true
  })
  if (!done) throw new ArchiveFailed('The file that was uploaded is gone.')
}

async function fill(services: Services, held: Held, archive: BoardArchive, isStopping: () => boolean) {
  const losses = createLosses()
  const steps = createSteps(services, held, isStopping)
  const importer = await readImporter(services.db, held.userId)
  const filling = createFilling(importer, choicesOf(held), new Date())
  const boardId = await steps.begin((db) => insertHiddenBoard(db, filling))
  const addFile = createFileImport({ services, archive, filling, note: losses.add })

  const each = async <Table extends BoardTable>(
    table: Table,
    write: (db: Db, boardId: number, filling: Filling, rows: BoardRow<Table>[]) => Promise<unknown>,
  ) => {
    for await (const rows of inChunks(archive.rows(table), steps.rowsAtOnce))
      await steps.step(rows.length, (db) => write(db, boardId, filling, rows))
  }
  await each('board', writeBoard)
  await each('people', writePeople)
  await each('tasks', writeTasks)
  await each('assignees', writeAssignees)
  await each('comments', writeComments)
  for await (const row of archive.rows('attachments')) {
    await addFile(row, (work) => steps.step(0, work))
    await steps.step(1)
  }
  await each('rates', writeRates)
  await each('entries', writeEntries)
  await each('activities', writeActivities)
  await finish(services, held, boardId, byWeight(losses.losses))
}

/** A transaction each, which nobody waits long for: it stores how far the import is, too. */
function createSteps(services: Services, held: Held, isStopping: () => boolean) {
  let done = 0
  let announcedAt = 0
  let size = ROWS_AT_ONCE.least

  async function write<T>(work: (db: Db) => Promise<T>, changes: (answer: T) => object): Promise<T> {
    await setImmediate()
    return runTransaction(services, async (transaction) => {
      await lockImporter(transaction.db, held.userId)
      if (isStopping() || !(await holdOn(transaction.db, held))) throw new Stopped()
      const answer = await work(transaction.db)
      const row = await noteProgress(transaction.db, held, { done, ...changes(answer) })
      const isDue = performance.now() - announcedAt > ANNOUNCE_EVERY_MS
      if (isDue) announcedAt = performance.now()
      if (row && isDue) announceProgress(transaction, held, row)
      return answer
    })
  }

  return {
    rowsAtOnce: () => size,
    begin: (work: (db: Db) => Promise<number>) => write(work, (boardId) => ({ boardId })),
    async step(rows: number, work: (db: Db) => Promise<unknown> = async () => {}) {
      done += rows
      const began = performance.now()
      await write(work, () => ({}))
      const factor = Math.min(2, STEP_MS / (performance.now() - began))
      size = Math.max(ROWS_AT_ONCE.least, Math.min(ROWS_AT_ONCE.most, Math.round(size * factor)))
    },
  }
}

/** With this commit, and not before, the board is there: whole, and its importer's. */
const finish = (services: Services, held: Held, boardId: number, losses: Loss[]) =>
  runTransaction(services, async (transaction: TransactionContext) => {
    const { db, outbox, sweep } = transaction
    const importer = await readImporter(db, held.userId)
    await openBoard(db, importer, held, boardId)
    if (!(await holdOn(db, held))) throw new Stopped()
    await countTasks(db, boardId)
    const grant = await grantFilled(db, importer, boardId)
    const ctx = { db, outbox, headers: new Headers(), idempotency: null }
    const added = { type: 'board_member_added', to: 'members', payload: { user: summaryOf(importer) } } as const
    await announce(ctx, grant, added, boardEvents({ kind: 'board_imported', detail: { source: held.source } }))
    const over = { state: 'done' as const, done: held.total, result: { losses }, holder: null, bytes: 0 }
    await dropArchive(db, held)
    sweep()
    const row = await noteProgress(db, held, over)
    if (row) announceProgress(transaction, held, row)
  })
