import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ArchiveFailed, type BoardRow, type BoardTable } from '../../../archive/schema'
import { openBoardArchive } from '../../../archive/server/openBoardArchive'
import { boardEvents } from '../../../boards/activity'
import { announce } from '../../../boards/server/announce'
import { lockBoard } from '../../../boards/server/lookup'
import type { Db } from '../../../db/database'
import type { Services } from '../../../server/context'
import { withIncoming } from '../../../server/files/storage'
import { discardFiles } from '../../../server/files/store'
import { runTransaction, type TransactionContext } from '../../../server/transaction'
import { summaryOf } from '../../../users/schema'
import { lockAccount } from '../../../users/server/lookup'
import { ignoreLosses } from '../fitToLimits'
import { grantFilled, readImporter } from '../grants'
import { choicesOf, lossesOf, madeBoardsOf } from '../lookup'
import { ARCHIVE_BYTES } from '../memoryNeeds'
import { type BoardArchive, storedBytes } from '../preview'
import { byWeight, createLosses } from '../sources/losses'
import { filesOf } from '../store'
import { assertRoom, createDiskList, readDiskList } from '../tempFiles'
import { countTasks, insertHiddenBoard, openBoard, WRITERS } from './board.store'
import { createFilling, rowsOf, type TargetBoard, targetBoards } from './boardRows'
import { createFileImport, type Find, fetchFromUrl, isRemote, type Placed, placeAttachment, readFromArchive } from './files'
import { type Held, lockHeld, noteProgress } from './leases.store'
import { announceProgress, createSteps, inChunks, type Steps, Stopped } from './steps'

type Job = {
  services: Services
  held: Held
  steps: Steps
  losses: ReturnType<typeof createLosses>
  folder: string
  findElsewhere: Find
  made: ReturnType<typeof madeBoardsOf>
}
/** A board that is still hidden. `elsewhere` lists the files that other servers have and that it still lacks. */
type Filled = {
  target: TargetBoard
  boardId: number
  addFile: ReturnType<typeof createFileImport>
  elsewhere: string
  waits: boolean
}

/** How far an import got, and which boards are left to make. */
type Reached = { waiting: Filled; left: TargetBoard[] }

/**
 * Makes the boards; if it throws, the last one stays hidden. Calls `filled` once it only waits for files of other servers, and takes
 * hardly any memory from then on. Throws ArchiveFailed, FORBIDDEN, INSUFFICIENT_STORAGE, Stopped.
 */
export const runImport = (services: Services, held: Held, isStopping: () => boolean, filled: () => void): Promise<void> =>
  withIncoming(services.config.dataDir, async (folder) => {
    await mkdir(folder, { mode: 0o700 })
    const job: Job = {
      services,
      held,
      folder,
      losses: createLosses(lossesOf(held)),
      made: madeBoardsOf(held),
      steps: createSteps(services, held, isStopping),
      findElsewhere: fetchFromUrl(services, folder),
    }
    let reached = await inArchive(job, async (archive) => fillUntilOneWaits(job, archive, await missingBoards(job, archive)))
    while (reached) {
      const { waiting, left } = reached
      filled()
      await fetchFiles(job, waiting)
      await finish(job, waiting, left.length === 0)
      if (left.length === 0) return
      const fillMore = () => inArchive(job, (archive) => fillUntilOneWaits(job, archive, left))
      reached = await services.importMemory.jobs.hold(ARCHIVE_BYTES, fillMore, null)
    }
  })

async function inArchive<T>({ services, held }: Job, work: (archive: BoardArchive) => Promise<T>): Promise<T> {
  const found = await services.files.withLocalFile(held.file, async (path) => {
    const archive = await openBoardArchive(path)
    try {
      return { answer: await work(archive) }
    } finally {
      archive.close()
    }
  })
  if (!found) throw new ArchiveFailed('The uploaded file is gone. Please upload it again.')
  return found.answer
}

async function missingBoards({ services, held, made, losses, folder }: Job, archive: BoardArchive): Promise<TargetBoard[]> {
  const targets = await targetBoards(archive, choicesOf(held), folder, {
    assertRoom: (bytes) => assertRoom(services, bytes),
    // An earlier try that made boards kept its losses.
    note: made.length > 0 ? ignoreLosses : losses.add,
  })
  const missing = targets.filter((target) => !made.some(({ list }) => target.folder === null || list === target.list))
  if (missing.length === 0)
    await runTransaction(services, async (transaction) => {
      if (!(await lockHeld(transaction.db, held))) throw new Stopped()
      await end(transaction, held, { losses: lossesOf(held), boards: made })
    })
  return missing
}

/** Undefined if all are there. */
async function fillUntilOneWaits(job: Job, archive: BoardArchive, targets: TargetBoard[]): Promise<Reached | undefined> {
  for (const [nth, target] of targets.entries()) {
    const left = targets.slice(nth + 1)
    const filled = await fillBoard(job, archive, target)
    if (filled.waits) return { waiting: filled, left }
    await finish(job, filled, left.length === 0)
  }
  return undefined
}

async function fillBoard(
  { services, held, steps, losses, folder }: Job,
  archive: BoardArchive,
  target: TargetBoard,
): Promise<Filled> {
  const importer = await readImporter(services.db, held.userId)
  const filling = createFilling(importer, held, target.name, services.config.attachments)
  const boardId = await steps.begin((db) => insertHiddenBoard(db, filling))
  const addFile = createFileImport({ services, importerId: importer.id, past: filling.past, note: losses.add })
  const rows = rowsOf(archive, target)

  // TypeScript does not see that the rows are of this table.
  for (const table of Object.keys(WRITERS) as (keyof typeof WRITERS)[])
    for await (const chunk of inChunks<object>(rows(table), steps.rowsAtOnce))
      await steps.step(chunk.length, bytesOf(table, chunk), (db) => WRITERS[table](db, boardId, filling, chunk as never))
  const elsewhere = join(folder, `elsewhere-${boardId}`)
  const later = createDiskList<Placed>(elsewhere)
  let waits = false
  for await (const row of rows('attachments')) {
    const own = placeAttachment(filling, archive, row)
    if (own && isRemote(own.row)) {
      waits = true
      later.add(own)
      continue
    }
    if (own) await addFile(own, readFromArchive(archive), committing(steps, own.row))
    await steps.step(1)
  }
  await later.end()
  return { target, boardId, addFile, elsewhere, waits }
}

async function fetchFiles({ steps, findElsewhere }: Job, { addFile, elsewhere }: Filled) {
  for await (const own of readDiskList<Placed>(elsewhere)) {
    await addFile(own, findElsewhere, committing(steps, own.row))
    await steps.step(1)
  }
}

const committing = (steps: Steps, row: BoardRow<'attachments'>) => (work: (db: Db) => Promise<unknown>) =>
  steps.step(0, bytesOf('attachments', [row]), work)

const bytesOf = (table: BoardTable, rows: object[]) => rows.reduce((sum: number, row) => sum + storedBytes(table, row), 0)

/** This commit makes the whole board visible to its importer. */
function finish({ services, held, losses, made }: Job, { target: { name, list, folder }, boardId }: Filled, isLast: boolean) {
  const isOneOfSeveral = folder !== null
  if (isOneOfSeveral) made.push({ id: boardId, name, list })
  const result = { losses: byWeight(losses.losses), ...(isOneOfSeveral && { boards: made }) }
  return runTransaction(services, async (transaction: TransactionContext) => {
    const { db, outbox } = transaction
    await lockBoard(db, boardId)
    if (!(await lockAccount(db, held.userId)) || !(await lockHeld(db, held))) throw new Stopped()
    const importer = await readImporter(db, held.userId)
    await openBoard(db, importer, name, boardId)
    await countTasks(db, boardId)
    const grant = await grantFilled(db, importer, boardId)
    const ctx = { db, outbox, headers: new Headers(), idempotency: null }
    const added = { type: 'board_member_added', to: 'members', payload: { user: summaryOf(importer) } } as const
    await announce(ctx, grant, added, boardEvents({ kind: 'board_imported', detail: { source: held.source } }))
    if (isOneOfSeveral) await noteProgress(db, held, { boardId: null, result })
    if (isLast) await end(transaction, held, result)
  })
}

async function end(transaction: TransactionContext, held: Held, result: object) {
  const { db, sweep } = transaction
  const over = { state: 'done' as const, done: held.total, result, holder: null, bytes: 0 }
  await discardFiles(db, filesOf(held))
  sweep()
  const row = await noteProgress(db, held, over)
  if (row) announceProgress(transaction, held, row)
}
